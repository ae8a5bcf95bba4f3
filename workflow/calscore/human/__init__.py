"""The human side: h_t, teams, players, quartiles."""
