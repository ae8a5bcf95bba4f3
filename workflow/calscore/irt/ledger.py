"""The ledger of CAIMIRA: its statements (config/published/caimira.yaml) against themselves and a study's tables."""

from __future__ import annotations

from ..ledger import ledger, verbalise
from ..ledger.expressions import Quantity
from ..ledger.ledger import interval_text

KNOWN = {
    "difficulty": "the regression of items' difficulty",
    "loss": "held-out loss by number of aspects",
}


def quantities(irt_difficulty, irt_loss):
    """What claims may name, with its evidence; and intervals by place.

    ``difficulty``: feature → aspect → coefficient, of aspects that items are about. ``loss``: aspects → log-loss on
    unseen questions of the model that reads the text alone.
    """
    made, intervals = {}, {}
    fitted = irt_difficulty[(irt_difficulty["aspect"] > 0) & (irt_difficulty["status"] == "fitted")]
    if len(fitted):
        value = {
            feature: {str(one.aspect): float(one.coefficient) for one in of.itertuples()}
            for feature, of in fitted.groupby("feature")
        }
        made["difficulty"] = Quantity(value, "tables/irt_difficulty.csv: aspects from 1")
        for one in fitted.itertuples():
            place = "difficulty", one.feature, str(one.aspect)
            ends = one.coefficient, one.low, one.high
            intervals[place] = interval_text(*ends, "clustered by question")
    of = irt_loss[(irt_loss["split"] == "unseen") & (irt_loss["model"] == "caimira_text")]
    value = {str(one.dimensions): float(one.log_loss) for one in of.itertuples()}
    made["loss"] = Quantity(value, "tables/irt_loss.csv: unseen, caimira_text")
    for one in of.itertuples():
        ends = one.log_loss, one.low, one.high
        intervals["loss", str(one.dimensions)] = interval_text(*ends, "questions resampled")
    return made, intervals


def irt_ledger(published: dict, simulated: bool, irt_difficulty, irt_loss) -> dict:
    """statements.csv of a study of item responses, with its children."""
    made, intervals = quantities(irt_difficulty, irt_loss)
    given = published["facts"], made, KNOWN, published["file"], simulated, intervals
    found = verbalise.tables(ledger.evaluate(published["claims"], *given))
    return {name: found[name] for name in ("statements", "claims", "printed_cells")}
