"""Published rows, and simulated studies of answer options."""

import pytest
from calscore.multiple_choice import option_files
from calscore.simulate import choices
from option_rows import FILES, QUESTION_FILE
from support import data_folder


@pytest.fixture(scope="session")
def folder():
    return data_folder(f"confidence-gap/{QUESTION_FILE}") / "confidence-gap"


@pytest.fixture(scope="session")
def questions(folder):
    return option_files.read_questions(folder / QUESTION_FILE)


@pytest.fixture(scope="session")
def real(folder, questions):
    files = [(folder / name, "gpt-4o-mini", "shared", s) for s, name in FILES.items()]
    return option_files.read_result_files(files, questions[0])[0]


@pytest.fixture(scope="session")
def small():
    return choices.simulate_choices({"questions": 30, "annotators": {"answers": 12}}, 3)


@pytest.fixture()
def written(small, tmp_path):
    choices.write_choices(small, tmp_path)
    questions, _ = option_files.read_questions(tmp_path / "options" / "questions.csv")
    path = tmp_path / "options" / choices.result_file_name("gpt-4o", "shared", "normal")
    return questions, path


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """The simulated study of full size, read back from its files."""
    folder = tmp_path_factory.mktemp("world")
    study = choices.simulate_choices({}, 11)
    choices.write_choices(study, folder)
    questions, _ = option_files.read_questions(folder / "options" / "questions.csv")
    roles = {role: e["name"] for role, e in choices.raw_files({}).items() if role != "questions"}
    files = [(folder / "options" / name, *role.split("/")) for role, name in roles.items()]
    results, _ = option_files.read_result_files(files, questions)
    people = option_files.read_annotations(results, folder / "annotations.csv")
    return study["truth"], questions, results, people["option_annotations"]
