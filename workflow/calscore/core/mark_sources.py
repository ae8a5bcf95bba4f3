"""Who judged: the marks on guesses that scores are computed under, side by side."""

MARKS = ("adjudicated", "engine", "strict", "authors")
"""In the order in which they are shown. ``authors``: the mark that came with the run; ``strict``: the engine, on
the text as sent; ``engine``: on the guess as read; ``adjudicated``: a person where one decided, else the engine."""
JUDGES = {
    "adjudicated": "a person where one decided, else the answer matcher",
    "engine": "the answer matcher",
    "strict": "the answer matcher, on the text as sent",
    "authors": "the marks that came with the runs",
}
"""Each of :data:`MARKS` as readers call it."""


def first_judge(rows, order=MARKS):
    """The rows of a frame with, for each model and elicitation, only the first of ``order`` (column marks)
    that it has; rows of marks that are not in ``order`` are left out."""
    rank = rows["marks"].map({name: place for place, name in enumerate(order)})
    return rows[rank == rank.groupby([rows["model"], rows["elicitation"]]).transform("min")]
