"""Questions and answers of a study of answer options as numbers."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_numbers

run(snakemake, option_numbers.write_numbers)
