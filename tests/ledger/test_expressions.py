"""Functions of expressions by hand."""

import math

import pytest
import simpleeval
from calscore.ledger import expressions


def test_functions_by_hand():
    call = expressions.FUNCTIONS
    assert call["rank"]([3, 1, 1, 5]) == [3, 1, 1, 4]
    assert call["weighted_mean"]({"a": 1.0, "b": 4.0}, {"a": 2, "b": 1}) == 2.0
    assert call["polynomial"]([1, 2, 3], 2) == 17
    assert call["spearman"]([1, 2, 3], [10, 20, 15]) == pytest.approx(0.5)
    assert call["spearman"]({"x": 1, "y": 2, "z": 3}, {"z": 15, "y": 20, "x": 10}) == pytest.approx(0.5)
    # Of the pairs that are complete, (1, 1), (2, 3), (4, 2), one of three is out of order.
    assert call["spearman"]([1, 3, 2, 4], [1, None, 3, 2]) == pytest.approx(0.5)
    assert call["spearman"]({"x": 5, "y": None, "z": 1}, {"x": 2, "y": 1, "z": 9}) == pytest.approx(-1)
    assert math.isnan(call["spearman"]([], []))
    assert call["counts"]([39.13, 21.74], 2, 23) == [9, 5]
    assert call["counts"]([39.13], 2, 15) == []
    assert call["splits"]({"a": 1, "b": 2}, 4) == [{"a": 1, "b": 3}, {"a": 2, "b": 2}]
    assert len(call["splits"]({"a": 10, "b": 9, "c": 8}, 55)) == 30 * 29 // 2
    shared = call["rates"]({"a": 6, "b": 6}, {"a": 1, "b": 2}, 4)
    assert shared == [{"a": 6, "b": 2}, {"a": 3, "b": 3}]
    with pytest.raises(expressions.Missing):
        call["splits"]({"a": 3, "b": 2}, 4)
    with pytest.raises(expressions.Missing):
        call["spearman"]({"x": 1, "y": 2}, {"x": 1, "w": 3})


def test_every_way_to_share_many_matches_can_be_looked_at():
    """Three models of three packets each in 60 matches: 1,378 ways, a value a model, twice."""
    least = {"a": 3, "b": 3, "c": 3}
    said = "[{m: r[m] + x for m in r} for x in [0, 9] for r in rates(least, least, 60)]"
    assert len(expressions.evaluate(said, {"least": least})) == 2 * 1378


def test_no_value_gives_an_expression_a_function():
    # Branches hold numbers and are not looked through; anything else that a name holds is.
    branch = expressions.Branch({"a": 1.5}, ("x",), set())
    assert expressions.evaluate("x.a + x['a']", {"x": branch}) == 3
    with pytest.raises(simpleeval.FeatureNotAvailable):
        expressions.evaluate("x['a']", {"x": {"a": eval}})
