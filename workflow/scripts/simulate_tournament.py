"""A simulated tournament as files, submissions and bonus submissions that play it."""

import json
from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.simulate import tournament
    from calscore.tournament import log, qbj

    seed = snakemake.params.simulate["seed"]
    members = tournament.tournament(seed)
    folder = Path(snakemake.output.folder)
    for name, content in members.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    questions = log.resolve(qbj.read_members(members, "simulated"), {}, {})["questions"]
    target = Path(snakemake.output.submissions)
    target.mkdir(parents=True)
    for kind, found in (
        ("tossups", tournament.submissions(questions, seed)),
        ("bonuses", tournament.bonuses(seed)),
    ):
        for name, records in found.items():
            lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
            (target / f"{kind}-{name}.jsonl").write_text(lines, encoding="utf-8")
    truth = {"seed": seed, "kind": "tournament", "hazards": list(tournament.HAZARDS)}
    Path(snakemake.output.truth).write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
