"""Tournaments: QBJ and buzz CSV in and out, and the statistics that quizbowl uses."""
