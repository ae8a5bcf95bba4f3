"""Names and texts in printed tables and messages stand as they are, whatever they hold."""

import pandas as pd
import pytest
from calscore.core import errors, render

CASES = {
    "GPT-4o": ("GPT-4o", "GPT-4o"),
    "exp_mean_logprob": ("exp_mean_logprob", r"exp\_mean\_logprob"),
    "0.500 [0.400, 0.600]": ("0.500 [0.400, 0.600]", "0.500 [0.400, 0.600]"),
    "a|b": (r"a\|b", "a|b"),
    "*a* `b` _c_": (r"\*a\* \`b\` \_c\_", r"*a* `b` \_c\_"),
    "<b>[x](y)": (r"\<b>[x]\(y)", "<b>[x](y)"),
    "a\nb": ("a b", "a\nb"),
    "5 % ~ $x^2$ {y}\\": (r"5 % ~ $x^2$ {y}\\", r"5 \% \textasciitilde{} \$x\textasciicircum{}2\$ \{y\}\textbackslash{}"),
    "a\x1b[31m\u202eb": ("a␛[31m⟨U+202E⟩b", "a␛[31m⟨U+202E⟩b"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_name_is_printed_as_it_is(name):
    table = [render.Printed("Caption", pd.DataFrame({"Model": [name], "n": ["1"]}))]
    markdown, latex = CASES[name]
    assert markdown in render.markdown(table) and latex in render.latex(table)


def test_a_fault_shows_what_nobody_sees():
    said = str(errors.Fault("a\x1b[2J.zip", "\u202ex", "", "\x1b", "a name"))
    assert said == "a␛[2J.zip, row ⟨U+202E⟩x: found '\\x1b', expected a name"
