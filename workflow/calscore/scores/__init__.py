"""Scores of models: MCE, CalScore, ECE, Brier and proper scores."""
