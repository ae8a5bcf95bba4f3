"""Questions and answers of a study of answer options as tidy tables, with findings."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.choices import reading
    from calscore.core import findings, store

    def named_list(name):
        """Files of a named input, one file or several alike."""
        given = snakemake.input.get(name) or []
        return [given] if isinstance(given, str) else list(given)

    raw, files, out = Path(snakemake.input.raw), snakemake.params.files, snakemake.output
    questions, found = reading.read_questions(raw / files["questions"])
    cells = [
        (raw / name, *role.rsplit("/", 2)) for role, name in files.items() if role != "questions"
    ]
    replied = iter(named_list("replies"))
    cells += [
        (next(replied), entry["model"], entry["judging"], setting)
        for entry in snakemake.params.replies
        for setting in ("normal", "distractor")
    ]
    results, more = reading.read_all(cells, questions)
    store.write(questions, "option_questions", out.questions)
    store.write(results, "option_results", out.results, {"option_questions": questions})
    asked = [pd.read_csv(path, dtype="str", keep_default_na=False) for path in named_list("asked")]
    table = pd.concat([findings.frame(found + more), *asked], ignore_index=True)
    store.check(table, "findings")
    store.write_csv(table, out.findings)
