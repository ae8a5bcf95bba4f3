"""When a statement about differences is sure, and what is drawn for it."""

import numpy as np
import pytest
from calscore.ledger import ledger, margin_tests, quantities
from calscore.ledger.estimates import Estimate, Events, Quantity
from calscore.stats.bootstrap import Bootstrap
from ledger.paper import release_quantities, release_tables

SPREAD = np.linspace(-1, 1, 1001)

# margins → all, any, most: sure (True), sure not (False) or neither (None); intervals are ± .95 (2 parts ± .975)
CASES = [
    ([2.0, 3.0], True, True, True),
    ([2.0, 0.5], None, True, None),
    ([-2.0, 3.0], False, True, False),
    ([-2.0, -3.0], False, False, False),
    ([-2.0, 0.5], False, None, False),
    ([0.5, 0.5], None, None, None),
    ([0.96], True, True, True),
    ([-0.96], False, False, False),
    # above 0 by itself, not at once with the other: enough for all, not for any
    ([0.96, 0.96], True, None, True),
    ([-0.96, -0.96], None, False, False),
    ([2.0, 2.0, -2.0], False, True, True),
    ([2.0, 0.5, -2.0], False, True, None),
]


def spread_test(margins: list[float], by: str, *events) -> margin_tests.MarginTest:
    """The test of margins that each are drawn as SPREAD about them."""
    named = {str(place): margin for place, margin in enumerate(margins)}
    drawn = {place: margin + SPREAD for place, margin in named.items()}
    return margin_tests.test_margins([named], [drawn], by, 0.95, *events)[0]


@pytest.mark.parametrize(("margins", "every", "one", "most"), CASES, ids=str)
def test_sure_where_the_intervals_lie_on_one_side(margins, every, one, most):
    found = {by: spread_test(margins, by) for by in margin_tests.QUANTIFIERS}
    verdicts = {by: which.verdict for by, which in found.items()}
    assert verdicts == {"all": every, "any": one, "most": most}
    for which in found.values():
        assert which.low <= which.difference <= which.high
        assert which.verdict is not None or which.low <= 0 <= which.high


def test_what_is_never_above_the_border_fails():
    """At 0 the statement is false, so an interval that ends there leaves nothing open."""
    named, drawn = {"a": -0.5, "b": 2.0}, {"a": np.minimum(-0.5 + SPREAD, 0), "b": 2 + SPREAD}
    assert margin_tests.test_margins([named], [drawn], "all", 0.95)[0].verdict is False
    for by in margin_tests.QUANTIFIERS:
        (alone,) = margin_tests.test_margins([{"a": -0.5}], [{"a": drawn["a"]}], by, 0.95)
        assert alone.verdict is False


def test_how_often_drawn_studies_say_the_same():
    assert spread_test([0.5], "all").stays == pytest.approx(0.75, abs=0.001)
    (none,) = margin_tests.test_margins([{"a": 0.5}], [{"a": np.full(3, np.nan)}], "all", 0.95)
    assert none.verdict is None and np.isnan(none.stays)


@pytest.mark.parametrize("by", margin_tests.QUANTIFIERS)
@pytest.mark.parametrize("lost", [False, True], ids=["whole", "with draws that have no value"])
def test_each_possibility_is_as_sure_as_by_itself(by, lost):
    """Possibilities with the same and with other draws, of another width, some without a value."""
    first, second = SPREAD.copy(), -(SPREAD**3)
    wide = 1 + 9 * second
    first[:200] = -1
    wide[500:900] = np.nan if lost else -1
    margins = [{"a": 0.3, "b": b} for b in (0.1, 0.1, 1.0)]
    drawn = [{"a": first, "b": b} for b in (0.1 + second, 0.1 + second, wide)]
    alone = [
        margin_tests.test_margins([one], [of], by, 0.95)[0] for one, of in zip(margins, drawn, strict=True)
    ]
    assert margin_tests.test_margins(margins, drawn, by, 0.95) == alone
    assert alone[0] == alone[1] != alone[2]


def places(value, way=()):
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*way, key))
    else:
        yield way, value


class EverythingOnce(Bootstrap):
    """Each question and team is drawn once."""

    def two_way_weights(self, n_questions, n_teams):
        return np.ones((self.replicates, n_questions)), np.ones((self.replicates, n_teams))


def test_a_drawn_study_with_everything_once_is_the_study():
    """Whatever is drawn is, with each question and team once, the quantity itself."""
    found = quantities.quantities(release_tables(), "sentence-100", EverythingOnce(2, 0, 0.95))
    drawn = {name: one.replicates for name, one in found.items() if one.replicates is not None}
    assert set(drawn) <= quantities.ESTIMATES
    expected = {name: release_quantities()[name].value for name in drawn}
    values = dict(places(expected))
    assert len(dict(places(drawn))) > 1000
    for way, replicates in places(drawn):
        assert replicates == pytest.approx(values[way]), way


def test_draws_are_of_teams_by_what_they_did():
    tables = release_tables()
    names = {team: f"x{99 - int(team[1:])}" for team in tables["teams"]["team"] if team[0] == "H"}
    hidden = {
        name: table.assign(team=table["team"].replace(names)) if "team" in table else table
        for name, table in tables.items()
    }
    seen, other = (
        quantities.quantities(one, "sentence-100", Bootstrap(20, 4, 0.95))["tally"].replicates
        for one in (tables, hidden)
    )
    for group in ("H", "M1"):
        assert (seen[group]["accuracy"] == other[group]["accuracy"]).all()


# events of each margin, least number, margins, by → verdict and whether events are too few; intervals are ± .95
EVENTS = [
    ([10, 10], 10, [2.0, 3.0], "all", True, False),
    ([10, 9], 10, [2.0, 3.0], "all", None, True),
    ([9, 10], 10, [2.0, -3.0], "all", False, False),
    ([10, 9], 10, [2.0, -3.0], "all", None, True),
    ([9, 10], 10, [2.0, -3.0], "any", None, True),
    ([10, 9], 10, [0.5, 3.0], "all", None, False),
    ([9, 10], 10, [0.5, 3.0], "all", None, True),
    ([9, 9], 0, [2.0, 3.0], "all", True, False),
]


@pytest.mark.parametrize(("counts", "least", "margins", "by", "verdict", "few"), EVENTS, ids=str)
def test_a_margin_of_few_events_decides_nothing(counts, least, margins, by, verdict, few):
    events = {str(place): count for place, count in enumerate(counts)}
    found = spread_test(margins, by, [events], least)
    assert (found.verdict, found.too_few) == (verdict, few)


def test_a_margin_that_does_not_vary_decides_nothing():
    """0 of 3 is 0 of 3 in every resampled study, which says nothing of other studies."""
    (found,) = margin_tests.test_margins([{"a": -0.5}], [{"a": np.full(9, -0.5)}], "all", 0.95)
    assert found.verdict is None and found.too_few


# right of all buzzes of a and b → beyond chance, for the claim that a is more accurate
CHANCE = [
    ((90, 100), (20, 100), "yes"),
    ((55, 100), (50, 100), "no"),
    ((9, 10), (0, 100), "too few"),
    ((20, 100), (90, 100), "yes"),
]


@pytest.mark.parametrize(("a", "b", "beyond"), CHANCE, ids=str)
def test_what_holds_in_the_data_and_whether_beyond_chance(a, b, beyond):
    claim = {"id": "a", "section": "1", "statement": "a is more accurate", "value": "share"}
    claim |= {"predicate": "value.a > value.b", "margins": "{'d': share.a - share.b}"}
    counts = {"a": a, "b": b}
    rng = np.random.default_rng(1)
    shares = {
        name: Estimate(right / n, rng.binomial(n, right / n, 500) / n, Events(min(right, n - right)), n)
        for name, (right, n) in counts.items()
    }  # fmt: skip
    found = {"share": Quantity(shares, "somewhere")}
    paper = ledger.Paper([claim], {}, "file")
    row = ledger.evaluate_claims(paper, found, {"share": "shares"}, False, {}, 0.95, 10).iloc[0]
    assert row["status"] == ("reproduced" if shares["a"] > shares["b"] else "contradicted")
    assert row["beyond_chance"] == beyond
