"""Wrong answers that a model wrote, validated, as a question file."""

from calscore.runner.bind import run
from calscore.multiple_choice import option_requests

run(snakemake, option_requests.question_file_with_distractors)
