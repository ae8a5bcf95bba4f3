"""How often 95 % intervals hold the truth over simulated studies; docs/coverage.csv has what was measured.

``worlds`` simulate studies, ``quantities`` are the intervals of one study, from the functions that the
workflow calls; ``registry`` says what is measured of which world and what its truth is; ``engine`` counts.
"""
