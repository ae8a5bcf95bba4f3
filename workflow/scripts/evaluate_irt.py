"""Held-out loss and calibration of every response model."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.irt import evaluate, study

    given, out, settings = snakemake.input, snakemake.output, snakemake.params.settings
    items, signs, text, _ = study.read(given)
    losses, calibration = study.evaluate_models(items, signs, text, settings)
    resampling = settings["replicates"], settings["seed"], settings["level"]
    store.write(losses, "heldout_losses", out.losses)
    store.write_csv(evaluate.loss_table(losses, "1pl", *resampling), out.loss)
    table = evaluate.verdict(losses, settings["dimensions"], *resampling)
    store.write_csv(table, out.verdict)
    store.write_csv(calibration, out.calibration)
