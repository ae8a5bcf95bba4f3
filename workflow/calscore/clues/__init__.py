"""Where the clues of a question end."""
