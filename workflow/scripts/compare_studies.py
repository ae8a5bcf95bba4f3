"""Models and people of every configured study side by side: table, figure and page."""

from calscore.runner.bind import run
from calscore.audit import plot, study_comparison
from calscore.pages import studies as pages

run(snakemake, study_comparison.compare_studies, plot.studies, pages.page)
