"""Statistics that rooms share."""
