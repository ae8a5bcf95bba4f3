"""Item response models of humans and systems on cumulative clues (CAIMIRA; Gor et al. 2024)."""
