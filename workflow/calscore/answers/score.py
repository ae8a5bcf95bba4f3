"""The learned score: a logistic regression on the features of an answer and a guess.

It gives the probability that a human judge would call the two the same. Like PEDANT it is a linear
classifier; its features are its own. It is kept, with the provenance of the fit, in
``data/equivalence.json``: weights by name, no pickle.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any

from ..core import strict_json
from ..core.errors import DataError
from ..core.package import DATA
from .features import FEATURES

MODEL_FILE = DATA / "equivalence.json"


@dataclass(frozen=True)
class Model:
    """Weights of the score, on standardised features, and where they come from.

    ``probability = 1 / (1 + exp(-(slope · z + offset)))`` with
    ``z = intercept + Σ weight · (feature − mean) / scale``; slope and offset calibrate.
    """

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weight: tuple[float, ...]
    intercept: float
    slope: float
    offset: float
    threshold: float
    provenance: dict[str, Any]
    _raw: tuple[float, ...] = field(init=False, repr=False)
    _constant: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        raw = tuple(self.slope * w / s for w, s in zip(self.weight, self.scale, strict=True))
        constant = self.slope * self.intercept + self.offset - math.fsum(map(mul, raw, self.mean))
        object.__setattr__(self, "_raw", raw)
        object.__setattr__(self, "_constant", constant)

    def probability(self, vector: Sequence[float]) -> float:
        """Probability in (0, 1) that the pair with these features is the same answer."""
        z = math.fsum(map(mul, vector, self._raw)) + self._constant
        return 1.0 / (1.0 + math.exp(-min(max(z, -30.0), 30.0)))

    def to_json(self) -> str:
        """Readable text from which :meth:`from_json` makes the same model."""
        rows = [
            {"name": name, "weight": w, "mean": m, "scale": s}
            for name, w, m, s in zip(FEATURES, self.weight, self.mean, self.scale, strict=True)
        ]
        head = {
            "formula": "1 / (1 + exp(-(slope * z + offset))), "
            "z = intercept + sum(weight * (feature - mean) / scale)",
            "intercept": self.intercept,
            "slope": self.slope,
            "offset": self.offset,
            "threshold": self.threshold,
            "provenance": self.provenance,
        }
        body = ",\n".join("    " + json.dumps(row) for row in rows)
        return json.dumps(head, indent=2)[:-2] + f',\n  "features": [\n{body}\n  ]\n}}\n'

    @classmethod
    def from_json(cls, text: str, file: str = "model") -> Model:
        """The model in ``text``; ``DataError`` where it is no JSON, or its features are others."""
        try:
            data = strict_json.load(text, file)
            names = tuple(str(row["name"]) for row in data["features"])
            mean, scale, weight = (
                tuple(float(row[k]) for row in data["features"])
                for k in ("mean", "scale", "weight")
            )
            numbers = [float(data[k]) for k in ("intercept", "slope", "offset", "threshold")]
            provenance = dict(data["provenance"])
        except DataError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise DataError.at(file, "", "", str(error), "a model of to_json") from None
        if names != FEATURES:
            odd = sorted(set(names) ^ set(FEATURES)) or ["another order"]
            raise DataError.at(file, "", "features", odd, "the features of this version")
        if not all(abs(n) < 1e9 for n in (*mean, *scale, *weight, *numbers)) or min(scale) < 1e-9:
            raise DataError.at(file, "", "features", "", "finite numbers and scales above 0")
        intercept, slope, offset, threshold = numbers
        return cls(mean, scale, weight, intercept, slope, offset, threshold, provenance)


def read_model(path: Path | None) -> Model:
    """The model in a file that :meth:`Model.to_json` wrote, the package's own where there is none."""
    if path is None:
        return default_model()
    return Model.from_json(strict_json.decode_utf8(path.read_bytes(), path.name), path.name)


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The model that comes with the package."""
    return read_model(MODEL_FILE)
