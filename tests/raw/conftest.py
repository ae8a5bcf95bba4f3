"""Two questions with the texts of a packet."""

import pytest
from support import QUESTIONS


@pytest.fixture
def questions():
    return QUESTIONS.copy()
