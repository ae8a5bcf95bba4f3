"""Models and people of every configured study side by side: table, figure and page."""

from calscore.core.step import run
from calscore.audit import plot, studies
from calscore.pages import studies as pages

run(snakemake, studies.compare, plot.studies, pages.page)
