"""Studies made up in the formats of the real ones."""
