"""Similar past questions by TF-IDF (Appendix D.1), never the question itself or a near-duplicate."""

from collections.abc import Sequence

import numpy as np

SHINGLE = 5
"""Words in a row that two texts share when one was copied from the other."""
SHARED = 0.1
"""Share of the shorter text's shingles from which on two questions count as near-duplicates."""
SIMILAR = 0.5
"""Cosine of whole texts from which on two questions count as near-duplicates."""


class Retriever:
    """A TF-IDF index over past questions (``corpus``: table past_questions). Terms are words and pairs of words, with
    sublinear counts and without English stop words; rows have unit length, so that a product is a cosine."""

    def __init__(self, corpus):
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

        self.corpus = corpus.reset_index(drop=True)
        self._words = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, stop_words="english", strip_accents="unicode"
        )
        self._index = self._words.fit_transform(self.corpus["text"])
        self._shingles = CountVectorizer(
            ngram_range=(SHINGLE, SHINGLE), binary=True, strip_accents="unicode", dtype=np.int32
        )
        try:
            self._copied = self._shingles.fit_transform(self.corpus["text"])
        except ValueError:
            # Every text is shorter than a shingle: the cosine alone decides.
            self._shingles = None

    def similarity(self, texts: Sequence[str]) -> np.ndarray:
        """Cosine of each text with each past question: shape (texts, questions), in [0, 1]."""
        return (self._words.transform(texts) @ self._index.T).toarray()

    def leaks(self, texts: Sequence[str]) -> np.ndarray:
        """Mask (texts, past questions): which past questions equal or nearly equal each of ``texts`` (whole questions).
        Nearly: they share at least :data:`SHARED` of the shorter one's five-word shingles, or have a cosine of at least
        :data:`SIMILAR`."""
        near = self.similarity(texts) >= SIMILAR
        if self._shingles is not None:
            shingles = self._shingles.transform(texts)
            common = (shingles @ self._copied.T).toarray()
            # Shingles of the text that occur in no past question count towards its size too.
            analyse = self._shingles.build_analyzer()
            sizes = np.array([len(set(analyse(text))) for text in texts])
            shorter = np.minimum(sizes[:, None], np.asarray(self._copied.sum(axis=1)).ravel()[None])
            near |= common >= np.maximum(SHARED * shorter, 1)
        rows = {text: i for i, text in enumerate(self.corpus["text"])}
        for row, text in enumerate(texts):
            if text in rows:
                near[row, rows[text]] = True
        return near

    def examples(self, heard: str, leaks: np.ndarray, count: int) -> list[int]:
        """Row numbers of the ``count`` past questions most similar to the text ``heard``, the best last; fewer if the others
        leak. ``leaks``: mask of past questions to leave out (a row of :meth:`leaks`). Ties go to the earlier question."""
        score = np.where(leaks, -1.0, self.similarity([heard])[0])
        order = np.argsort(-score, kind="stable")[:count]
        return [int(i) for i in order[::-1] if score[i] >= 0]
