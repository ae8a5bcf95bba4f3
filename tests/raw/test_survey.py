"""Bad survey files end in one error that names file, row and column."""

import pandas as pd
import pytest
from calscore.core.errors import DataError
from calscore.raw import survey

QUESTIONS = pd.DataFrame({"question_id": ["p01-q01"], "n_words": [10]})
HEADER = "player,question_id,clue,position,guess,buzz\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "P1,p09-q01,1,5,x,0",
            "column question_id: found 'p09-q01', expected a question of this study",
        ),
        ("P1,p01-q01,0,5,x,0", "column clue: found '0'"),
        ("P1,p01-q01,1,11,x,0", "column position: found '11'"),
        ("P1,p01-q01,1,5,x,maybe", "column buzz: found 'maybe', expected 1/0"),
        (",p01-q01,1,5,x,0", "column player"),
        ("P0,p01-q01,2,4,x,0", "column position: found '4', expected no fewer words than at earlier clues"),
    ],
)
def test_bad_survey_lines(tmp_path, line, message):
    path = tmp_path / "survey.csv"
    path.write_text(HEADER + "P0,p01-q01,1,5,,no\n" + line + "\n")
    with pytest.raises(DataError, match=message) as error:
        survey.parse_survey(path, QUESTIONS)
    assert "survey.csv, row 3" in str(error.value)


def test_bad_survey_files(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text(HEADER + "P1,p01-q01,1,5,x,1\nP1,p01-q01,1,6,y,0\n")
    with pytest.raises(DataError, match="one row per player, question and clue"):
        survey.parse_survey(path, QUESTIONS)
    path.write_text("player,clue\nP1,1\n")
    with pytest.raises(DataError, match="column question_id: found None"):
        survey.parse_survey(path, QUESTIONS)
    path.write_text("")
    with pytest.raises(DataError, match="a CSV table"):
        survey.parse_survey(path, QUESTIONS)
