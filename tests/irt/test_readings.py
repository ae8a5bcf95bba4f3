"""Systems against humans under what is assumed of buzzes."""

import pandas as pd


def test_the_default_reading_recovers_what_the_study_was_made_with(demo_irt):
    """The truth lies in the interval where players buzz once they know, which the simulated ones do."""
    table = pd.read_csv(demo_irt / "tables" / "irt_readings.csv").set_index(["reading", "wait"])
    holds = (table["low"] <= table["truth"]) & (table["truth"] <= table["high"])
    assert holds["censored", 0.0] and not holds["backfilled", 0.0] and not holds["censored", 0.5]
    assert table.loc[("backfilled", 0.0), "difference"] < 0 < table["truth"].iloc[0]
