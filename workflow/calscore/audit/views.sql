-- Views of audit/study.duckdb. The first line of each: its name, and the tables without which it is not made.

-- terms: responses human_curve clues
SELECT r.segmentation, r.model, r.elicitation, r.reduction, r.marks, r.question_id, r.clue, k.end_word,
       r.guess, r.correct, r.confidence, r.carried, s.h AS h_paper, a.h AS h_release,
       (CASE WHEN r.correct THEN 1 ELSE -1 END) * r.confidence AS gc_paper,
       (CASE WHEN r.correct THEN 1 ELSE 0 END) * r.confidence AS gc_release,
       (1 - s.h) * (CASE WHEN r.correct THEN 1 ELSE -1 END) * r.confidence AS term_paper,
       (1 - a.h) * (CASE WHEN r.correct THEN 1 ELSE 0 END) * r.confidence AS term_release
FROM responses r
JOIN clues k USING (segmentation, question_id, clue)
JOIN human_curve s ON s.h_definition = 'buzzed_so_far'
 AND (s.segmentation, s.question_id, s.clue) = (r.segmentation, r.question_id, r.clue)
JOIN human_curve a ON a.h_definition = 'buzzed_on_question'
 AND (a.segmentation, a.question_id, a.clue) = (r.segmentation, r.question_id, r.clue)
WHERE r.confidence IS NOT NULL

-- hardest_questions: questions exposures buzzes
SELECT q.question_id, q.category, q.answerline, e.heard, coalesce(b.buzzes, 0) AS buzzes,
       coalesce(b.correct, 0) AS correct, coalesce(b.correct, 0) / e.heard AS conversion
FROM questions q
JOIN (SELECT question_id, count(*) AS heard FROM exposures WHERE kind = 'human' GROUP BY ALL) e
  USING (question_id)
LEFT JOIN (SELECT question_id, count(*) AS buzzes, count(*) FILTER (correct) AS correct
           FROM buzzes WHERE kind = 'human' GROUP BY ALL) b USING (question_id)
ORDER BY conversion, q.question_id

-- confidently_wrong: responses questions guesses
SELECT r.*, q.category, q.answerline, g.source_row
FROM responses r JOIN questions q USING (question_id)
JOIN guesses g USING (model, elicitation, question_id, position)
WHERE NOT r.correct AND r.confidence > 0.9
ORDER BY r.confidence DESC, r.segmentation, r.model, r.question_id, r.clue

-- buzzes_with_questions: buzzes questions
SELECT b.*, q.category, q.category_fine, q.answerline, (b.word_index + 1) / q.n_words AS revealed
FROM buzzes b JOIN questions q USING (question_id)
ORDER BY b.question_id, b.word_index, b.team

-- first_right: buzzes questions
SELECT b.question_id, min(b.word_index) FILTER (b.kind = 'human') AS human_word,
       min(b.word_index) FILTER (b.kind = 'model') AS model_word
FROM buzzes b WHERE b.correct GROUP BY b.question_id ORDER BY b.question_id

-- failed_checks: checks
SELECT * FROM checks WHERE result = 'fail' ORDER BY severity, "table", "check"

-- verdicts: judgements guesses
SELECT g.model, g.elicitation, g.question_id, g.position, g.guess, j.condition, j.verdict,
       j.score, j.rule, j.source, g.source_row
FROM guesses g JOIN judgements j USING (question_id, guess)
ORDER BY j.score, g.model, g.question_id, g.position
