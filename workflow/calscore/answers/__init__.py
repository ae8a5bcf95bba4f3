"""Answer equivalence: what an answer line accepts, and who said so.

What stands here is for other programs (``docs/answers.md``). It needs nothing of what the workflow needs:
the package's other requirements come with ``calscore[workflow]``.
"""

from .answerline import Alternative, Answerline, from_dict, to_dict
from .explain import Explanation, explain
from .hybrid_judge import judge
from .parse import condition_met, parse
from .rules import Judgement

__all__ = [
    "Alternative",
    "Answerline",
    "Explanation",
    "Judgement",
    "condition_met",
    "explain",
    "from_dict",
    "judge",
    "parse",
    "to_dict",
]
