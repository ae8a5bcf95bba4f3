"""Files that must agree with others do, and the lock is what it claims to be."""

import re

import sync
from calscore.core.schema import schema
from support import ROOT


def test_the_conda_file_is_in_step():
    found = sync.FILE.read_text(encoding="utf-8")
    assert found == sync.conda_environment(), "out of step: python tests/sync.py --fix"


def keys(properties: dict, definitions: dict, prefix: str = ""):
    """(key as config/README.md writes it, its schema) of every property, those of nested mappings too."""
    for name, given in properties.items():
        reference = given.get("$ref", "").rpartition("/")[2]
        spec = definitions[reference] if reference else given
        yield prefix + name, spec
        inner = spec.get("items", {}).get("properties") or spec.get("properties")
        if not inner and isinstance(spec.get("additionalProperties"), dict):
            of_each = spec["additionalProperties"].get("properties", {})
            inner = {f"<key>/{key}": value for key, value in of_each.items()}
        if inner and not reference:
            yield from keys(inner, definitions, f"{prefix}{name}/")


def test_every_key_of_the_configuration_is_documented_with_its_default():
    sections = (ROOT / "config" / "README.md").read_text(encoding="utf-8").split("\n## ")
    definitions = schema()["$defs"]
    of = {"Top level": schema()["properties"]}
    for title in ("study", "inputs", "file", "options"):
        of[title] = definitions[title]["properties"]
    titles = dict(zip(of, ("Top level", "A study", "Inputs", "A file", "Options"), strict=True))
    for name, properties in of.items():
        (section,) = [text for text in sections if text.startswith(titles[name])]
        rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", section, re.MULTILINE))
        expected = dict(keys(properties, definitions))
        assert set(rows) == set(expected), name
        for key, spec in expected.items():
            assert "default" not in spec or f"default `{spec['default']!r}`" in rows[key], key
            assert rows[key].split(" | ")[-1].strip(), f"{key} says nothing"


def test_the_lock_has_hashes_and_names_no_index():
    text = (ROOT / "envs" / "requirements.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    packages = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(packages) > 50
    assert all("--hash=sha256:" in package for package in packages)


def test_every_direct_dependency_is_locked():
    assert set(sync.direct_dependencies()) <= set(sync.locked_versions())
