"""Questions and answers of a study of answer options as tidy tables, with findings."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_files

run(snakemake, option_files.tidy_options)
