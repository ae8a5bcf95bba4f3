"""Verdicts on the guesses of a study, and the marks that came with them."""
