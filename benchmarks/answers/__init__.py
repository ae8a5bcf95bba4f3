"""The answer engine beside PEDANT, qb-answer-checker, RapidFuzz and exact match, on the same cases."""
