"""Recompute human-versus-model calibration studies from their raw buzz logs: see workflow/Snakefile."""


include: "workflow/Snakefile"


rule default:
    """Everything that the inputs of every configured study allow."""
    default_target: True
    input:
        rules.all.input,
