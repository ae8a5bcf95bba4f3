"""Read real tournament and submission files as they are, and print what was read, refused and reported.

python -m benchmarks.corpus FOLDER…    A folder of match files, buzzpoint databases or submissions, at any depth.

Names of people stay out of what is printed: counts, kinds of findings, and of a refused file the field and what was
expected there.
"""

import argparse
from collections import Counter
from pathlib import Path

from calscore.core.errors import DataError
from calscore.leaderboard import bonus_files, submissions
from calscore.tournament import match_log, qbj, sqlite


def tournament_counts(log) -> str:
    """Matches, buzzes, bonus parts and declared totals of a log, and its findings by kind."""
    tables = match_log.tidy_tables(log, {}, {})
    sides = tables["sides"]
    declared = int(sides["declared"].notna().sum())
    kinds = Counter(finding.finding for finding in log.findings)
    differ = kinds["declared points differ from their parts"]
    bonus = int(log.frame("sides")["bonus_points"].notna().sum())
    points = f"{declared} scores and {bonus} sums of bonuses declared by {len(sides)} sides, {differ} matches differ"
    counts = ", ".join(f"{len(tables[name])} {name}" for name in ("games", "plays", "bonus_plays"))
    return f"{counts}; {points}; {_counted(kinds)}"


def _counted(counts: Counter) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in counts.most_common()) or "no findings"


def match_folder(folder: Path) -> str:
    """A folder of match files and packets, whole; where it is refused, the files that can be read alone are counted."""
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in (".qbj", ".json")]
    members = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return f"{len(members)} files; {tournament_counts(qbj.read_qbj_files(members, folder.name))}"


def submission_files(paths: list[Path]) -> str:
    """Submissions of tossups or bonuses: files read and refused, runs or parts, and silent questions."""
    totals, refused = Counter(), Counter()
    for path in paths:
        head = path.read_text(encoding="utf-8")[:100_000]
        is_bonus = '"part_outputs"' in head or '"parts"' in head
        try:
            read = bonus_files.read_bonus_parts if is_bonus else submissions.read_runs
            rows = read(path, path.stem)
        except DataError as error:
            refused[_where(error)] += 1
            continue
        totals["bonus files" if is_bonus else "tossup files"] += 1
        totals["parts" if is_bonus else "runs"] += len(rows)
        if not is_bonus:
            totals["questions without outputs"] += int(rows["silent"].sum())
    return f"{_counted(totals)}; refused: {_counted(refused)}"


def _where(error: DataError) -> str:
    fault = error.faults[0]
    return f"{fault.column or 'file'}, expected {fault.expected.partition(' (')[0]}"  # no value


def read(folder: Path) -> None:
    """Print what becomes of each folder of matches, database and folder of submissions below a folder."""
    files = [path for path in [folder, *sorted(folder.rglob("*"))] if path.is_file()]
    tasks = [(path, sqlite_counts, path) for path in files if path.suffix.lower() in (".db", ".sqlite")]
    if any(path.suffix.lower() == ".qbj" for path in files):
        tasks.append((folder, match_folder, folder))
    lines = [path for path in files if path.suffix.lower() == ".jsonl"]
    if lines:
        tasks.append((folder, submission_files, lines))
    for place, function, argument in tasks:
        try:
            print(f"{place}: {function(argument)}")
        except DataError as error:
            print(f"{place}: refused, {len(error.faults)} faults; first: {_where(error)}")


def sqlite_counts(path: Path) -> str:
    return tournament_counts(sqlite.read_database(path))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        read(folder)
