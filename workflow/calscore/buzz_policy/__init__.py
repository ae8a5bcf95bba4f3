"""When a model buzzes: thresholds, opponents, matches."""
