"""What papers print, held against what was computed."""
