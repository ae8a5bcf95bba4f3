"""Calibration regressions of every model, elicitation and reduction."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.inference import regressions

    options = snakemake.params.options
    responses = store.read(snakemake.input.responses)
    responses = responses[responses["segmentation"] == options["primary_segmentation"]]
    table = regressions.calibration_slopes(responses, options["level"])
    store.write(table, "calibration_slopes", snakemake.output.calibration_slopes)
