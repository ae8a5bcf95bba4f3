"""Leaderboards: submissions played against logged human buzzes."""
