"""Prompts: what they show, and own templates."""

import pytest
from calscore.clues import segment
from calscore.core.errors import DataError
from calscore.guessers import prompts, retrieval
from past_questions import made_corpus


def test_no_prompt_of_past_questions_shows_its_own_question():
    table = made_corpus()
    retriever = retrieval.Retriever(table)
    guesser = {"prompts": {}, "elicitations": ["logit", "verbalized"]}
    ends = segment.cut_questions(table, ["words-20"])
    made = prompts.prompt_requests(
        table,
        ends,
        retriever,
        prompts.guesser_templates(guesser),
        "m",
        {"logit": {}, "verbalized": {}},
        3,
    )
    assert len(made) == 2 * len(ends)
    texts = table.set_index("question_id")["text"]
    for one in made:
        assert texts[one.question_id] not in one.prompt.rsplit("Question: ", 1)[0]
        heard = " ".join(texts[one.question_id].split()[: one.position])
        end = one.prompt.rsplit("Question: ", 1)[1]
        assert end == (f"{heard}\nThe answer is:" if one.elicitation == "logit" else heard)
        assert one.prompt.count("Question: ") == 4
        assert one.prompt.count("The answer is: Answer ") == 3
    assert len({one.key for one in made}) == len(made)


def test_own_templates(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("{% for e in examples %}{{ e.question }}={{ e.answer }};{% endfor %}{{ question }}?")
    form = prompts.read_template(path)
    assert form.render(examples=[{"question": "a", "answer": "b"}], question="c") == "a=b;c?"
    for text, words in (
        ("no slot", "slots"),
        ("{{ question }} {{ anwser }}", "anwser"),
        ("{{ question", "Jinja"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=words):
            prompts.read_template(path)
    with pytest.raises(DataError, match="a prompt template"):
        prompts.read_template(tmp_path / "absent.txt")
