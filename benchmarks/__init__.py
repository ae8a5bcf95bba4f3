"""Speed, coverage and comparisons, measured: ``python -m benchmarks.NAME`` in the project's folder.

One BLAS thread; the package is found beside this folder where it is not installed.
"""

import os
import sys
import time
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / name) for name in ("workflow", "tests")]
DATA = Path(os.environ.get("CALSCORE_DATA", ROOT.parent / "shared" / "data"))


def seconds(function, *arguments, clock=time.process_time) -> float:
    """Seconds that a call takes, of CPU or by another clock."""
    start = clock()
    function(*arguments)
    return clock() - start
