"""What the numbers can carry: comparisons, specifications, regressions."""
