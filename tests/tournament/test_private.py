"""Names of people that a study hides are in nothing that it makes, file names and database included."""

import html
import json
from pathlib import Path

import duckdb
import pytest
import yaml
from calscore.audit import manifest
from calscore.core import store
from calscore.simulate import tournament
from calscore.tournament import files
from support import run_snakemake, workspace

SIZE = {"teams": 8, "rounds": 9, "tossups": 8}


def hidden_names(members):
    """Members with names that occur nowhere else, in the files' names too; (members, names of people)."""
    documents = {name: json.loads(content) for name, content in members.items()}
    matches = {name: one for name, one in documents.items() if "match_teams" in one}
    teams = sorted({s["team"]["name"] for one in matches.values() for s in one["match_teams"]})
    players = sorted(
        {
            p["player"]["name"]
            for one in matches.values()
            for s in one["match_teams"]
            for p in s["match_players"]
        }
    )
    new = {name: f"Qarth{chr(97 + i % 26)}{i} College" for i, name in enumerate(teams)}
    new |= {name: f"Vhagar{i} Stone" for i, name in enumerate(players)}

    def renamed(value):
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, dict):
            return {
                key: new.get(one, one) if key == "name" and isinstance(one, str) else renamed(one)
                for key, one in value.items()
            }
        return value

    found = {}
    for path, document in documents.items():
        if path in matches:
            document = renamed(document)
            sides = " ".join(side["team"]["name"] for side in document["match_teams"])
            path = str(Path(path).with_name(f"{Path(path).stem} {sides}.qbj"))
            if document.get("packets") == "Packet 2":
                document["packets"] = "Qartha0 College and others"
        elif document.get("name") == "Packet 2" or path.endswith("02.json"):
            document["name"] = "Qartha0 College and others"
        found[path] = json.dumps(document).encode()
    return found, sorted(new.values())


def texts(folder):
    """(relative path, text) of every file, tables and the database as text, and of the names of files."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        relative = path.relative_to(folder)
        yield "name of a file", str(relative)
        if relative.parts[:2] == ("raw", "tournament"):
            continue
        if path.suffix == ".parquet":
            yield relative, store.read(path).to_csv()
        elif path.suffix == ".duckdb":
            with duckdb.connect(str(path), read_only=True) as base:
                for (table,) in base.sql("select table_name from information_schema.tables").fetchall():
                    yield f"{relative}, {table}", base.sql(f'select * from "{table}"').df().to_csv()
        else:
            yield relative, html.unescape(path.read_bytes().decode("utf-8", "replace"))


@pytest.fixture(scope="module")
def private(tmp_path_factory):
    """(results, names of people) of a small tournament whose people are pseudonymised."""
    folder = workspace(tmp_path_factory.mktemp("private"))
    members, people = hidden_names(tournament.tournament_files(3, **SIZE))
    for name, content in members.items():
        path = folder / "cup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    study = {"inputs": {"qbj_dir": "cup"}}
    options = {"names": "pseudonymise", "replicates": 100, "segmentations": ["sentence-100"]}
    options |= {"permutations": 100, "halves": 2}
    config = {"options": options, "studies": {"private": study}}
    (folder / "mine.yaml").write_text(yaml.safe_dump(config))
    run_snakemake("--configfile", "mine.yaml", cwd=folder)
    return folder / "results" / "private", people


def test_no_output_names_anybody(private):
    results, people = private
    assert len(people) > 20
    words = {word for name in people for word in name.split()} - {"College", "Stone"}
    found = [(place, word) for place, text in texts(results) for word in words if word in text]
    assert found == []
    # The raw files, which stay as they came, do.
    raw = "".join(
        p.read_text(encoding="utf-8") for p in (results / "raw" / "tournament").rglob("*") if p.is_file()
    )
    assert all(name in raw for name in people)


def test_what_is_not_named_is_verified_all_the_same(private):
    results, _ = private
    assert manifest.verify(results) == []
    cup = results.parent.parent / "cup"
    first = sorted(cup.rglob("*.qbj"))[0]
    content = first.read_bytes()
    try:
        first.write_bytes(content + b"\n")
        assert manifest.verify(results) == ["input cup/*: changed"]
    finally:
        first.write_bytes(content)
    assert manifest.verify(results) == []


def test_numbered_files_are_read_under_the_names_that_they_came_with(tmp_path):
    members, _ = hidden_names(tournament.tournament_files(3, **SIZE))
    for name, content in members.items():
        path = tmp_path / "cup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    read = {}
    for how in ("keep", "pseudonymise"):
        raw = tmp_path / how
        listed = files.copy_sources(raw, {"qbj": str(tmp_path / "cup")}, how)["manifest"]
        assert len(listed) == len(members)
        read[how] = files.tidy_tournament(raw, {}, {}, {}, {}, how, 0, {}, [])
        counts = read[how]["games"].groupby(["tournament", "round"]).size().to_dict()
        read[how]["counts"] = counts, len(read[how]["buzzes"]), len(read[how]["findings"])
    assert read["keep"]["counts"] == read["pseudonymise"]["counts"]
    names = set(read["pseudonymise"]["games"]["file"])
    assert all(name.startswith("file ") and name.endswith(".qbj") for name in names)
    for name in ("buzzes", "plays"):
        assert read["pseudonymise"][name]["source_row"].is_unique
    # The configuration may call a match by its number; a packet that bears a team's name makes all be numbered.
    one = sorted(names)[0]
    games = files.tidy_tournament(raw, {}, {}, {}, {one: "Packet 3"}, "pseudonymise", 0, {}, [])["games"]
    assert games.set_index("file").loc[one, "packet"] == "Packet 02"
    kept = read["keep"]["games"]
    assert set(kept.loc[kept["packet"] == "Packet 03", "number"]) == {2}
