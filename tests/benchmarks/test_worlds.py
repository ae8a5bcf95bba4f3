"""The simulated worlds are possible ones, laid out as the workflow's tables."""

import numpy as np
import pytest
from calscore.core import store
from calscore.human import curves, incidence

from benchmarks.coverage.worlds import models, options, survey, tournament


def test_the_simulated_tables_are_one_possible_tournament():
    data = tournament.study(np.random.default_rng(3))
    for name in ("buzzes", "exposures"):
        heard = getattr(data, name)[["question_id", "team"]]
        assert not heard.duplicated().any()
    # Nobody buzzes on what was not heard, nor in a match after a right answer.
    heard = data.exposures.set_index(["question_id", "team"]).index
    assert data.buzzes.set_index(["question_id", "team"]).index.isin(heard).all()
    pairs = incidence.pairings(data.questions, data.buzzes, data.exposures)
    assert not store.validation_errors(pairs, "pairings")
    assert len(pairs) > 80 and (pairs["source"] == "match").all()
    assert (pairs["contradictions"] == 0).all()
    endings = incidence.competing_events(*data.tables, pairs)
    assert set(endings["cause"]) == {1, 2, 3, 4}
    teams = curves.rank_teams(*data.humans)
    # Where no match interferes, a buzz is that of the study.
    alone = data.buzzes[data.buzzes["match"].isna()]
    assert len(alone) > 10
    for row in alone[alone["kind"] == "human"].itertuples():
        q, t = int(row.question_id[1:]), int(row.team[1:])
        assert row.word_index // tournament.WORDS == data.one["when"][q, t]
        assert row.correct == data.one["knows"][q, t]
    assert (teams["kind"] == "human").sum() == models.TEAMS


def test_the_second_judge_differs_as_often_as_stated():
    data = tournament.study(np.random.default_rng(5), twice=True)
    table, second = data.responses, data.second
    right = table["correct"]
    assert (~second["correct"][right]).mean() == pytest.approx(tournament.STRICT, abs=0.06)
    assert second["correct"][~right].mean() == pytest.approx(tournament.LENIENT, abs=0.04)
    # One verdict a question and model: a right answer that is rejected once is rejected throughout.
    of = second["correct"][right].groupby([table["model"], table["question_id"]])
    assert (of.nunique() == 1).all()


def test_the_simulated_survey_is_one():
    table = survey.surveyed(np.random.default_rng(2))
    shape = table["player"].nunique(), table["question_id"].nunique()
    assert shape == (survey.PLAYERS, survey.ASKED)
    # Who stops writes nothing after the first buzz.
    after = table.groupby(["player", "question_id"])["buzz"].cumsum() - table["buzz"] > 0
    assert table.loc[after & table["observed"].isna()].shape[0] > 100
    assert not table.loc[table["observed"].isna() & after, "buzz"].any()
    assert set(table["quartile"]) == {1, 2, 3, 4} and set(table["half"]) == {"bottom", "top"}


def test_the_simulated_options_are_tables_of_the_workflow():
    results, annotations, questions = options.tabled({"questions": 50}, 1)
    columns = store.columns("option_results")
    assert set(results) == set(columns) - {"predicted_answer"}
    assert results["confidence"].between(0, 1).all()
    assert set(annotations["output"]) <= {1, 0, -1} and len(questions) == 50
