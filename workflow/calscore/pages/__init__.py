"""Pages that people open: explorer, audit, leaderboard, notebooks."""
