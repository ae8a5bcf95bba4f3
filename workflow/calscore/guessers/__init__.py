"""From a model to its guesses: past questions, retrieval, prompts, guessers, and the store of replies."""
