"""Tidy tables of the release's files."""

from pathlib import Path
from typing import Any

from ..core.errors import DataError
from . import archive, model_output_files, safe_pickle
from .formats import model_output_folder
from .release import parse_packets, tidy_release


def release_tables(
    release: Path,
    files: dict[str, dict],
    password: str,
    category_aliases: dict[str, str],
    categories: dict[str, list[str]],
    exposure_table: str,
    heard: str,
    sources: list[dict],
    human_buzzes: str,
    fetched: Path | None = None,
) -> dict[str, Any]:
    """Tables and findings, by name as of :func:`.release.tidy_release`, from ``files`` (role → entry with name) in the folder
    ``release``. ``category_aliases``, ``categories``: ``aliases`` and ``merged`` of :func:`.release.merge_category`;
    ``exposure_table``, ``heard``: as :func:`.release.tidy_release` takes them. ``human_buzzes``: "release" or "outputs", those
    of the model outputs among ``sources`` (in ``fetched`` if by address). ``DataError`` for a missing or malformed file."""
    import pandas as pd

    names = {role: entry["name"] for role, entry in files.items()}
    members = archive.read_members(release / names["archive"], password)
    parsed = parse_packets(members, category_aliases, categories)
    used = None
    if human_buzzes == "outputs":
        folder = model_output_folder(sources, fetched)
        used = model_output_files.parse_buzzes(folder, pd.DataFrame(parsed.questions))
    tables = {
        role: safe_pickle.load_plain(release / names[role])
        for role in ("per_packet", "combined")
        if role in names
    }
    teams = safe_pickle.load_plain(release / names["teams"]) if "teams" in names else []
    if not isinstance(teams, list) or not all(isinstance(team, str) for team in teams):
        raise DataError.at(names["teams"], "", "", teams, "a list of teams")
    return tidy_release(parsed, tables, teams, used, exposure_table, heard, names)
