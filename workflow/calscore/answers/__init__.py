"""Answer equivalence: what an answer line accepts, and who said so."""
