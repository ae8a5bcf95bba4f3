"""Survey answers judged and backfilled, and the players ranked."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.answers import equivalence, judging
    from calscore.core import findings, store
    from calscore.human import players

    questions = store.read(snakemake.input.questions)
    model = equivalence.Model.from_json(Path(snakemake.input.model).read_text(encoding="utf-8"))
    answers = store.read(snakemake.input.survey)
    overrides = None
    if snakemake.input.overrides:
        overrides = judging.read_overrides(snakemake.input.overrides, questions)
    answers["condition"] = judging.conditions(answers, questions)
    judgements, found = judging.judge(
        answers[answers["guess"].notna()], questions, overrides, snakemake.params.matcher, model
    )
    right = judging.verdicts(answers, judgements)
    responses, odd = players.survey_responses(answers, right)

    parents = {"questions": questions}
    store.write(judgements, "judgements", snakemake.output.judgements, parents)
    store.write(responses, "survey_responses", snakemake.output.responses, parents)
    store.write(players.rank_players(responses), "players", snakemake.output.players)
    store.write_csv(findings.frame(found + odd), snakemake.output.findings)
