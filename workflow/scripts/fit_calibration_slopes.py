"""Calibration regressions of every model, elicitation and reduction."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import regressions, store

    options = snakemake.params.options
    responses = store.read(snakemake.input.responses)
    responses = responses[responses["segmentation"] == options["primary_segmentation"]]
    table = regressions.calibration_slopes(responses, options["level"])
    store.write(table, "calibration_slopes", snakemake.output.calibration_slopes)
