"""A tournament as QBJ and packets."""

from calscore.runner.bind import run
from calscore.tournament import export

run(snakemake, export.write_export)
