"""PEDANT on the cases of stdin, in an environment of its own: ``python pedant.py < cases.json``.

qa-metrics fetches the weights from its authors' repository when it is first used. Where that
repository is gone, ``PEDANT_WEIGHTS`` names a folder with ``lr_classifier.pkl``,
``rule_classifier.pkl``, ``tf-idf_vectorizer.pkl`` and ``type_classifier.pkl``: older commits of the
public package have them. They are pickles, which run code: load only files that you trust.
"""

import json
import os
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path


def load_from(folder):
    """Let qa-metrics load each of its files from ``folder`` and fetch none."""
    from qa_metrics import pedant

    load = pedant.joblib.load
    pedant.joblib.load = lambda path: load(Path(folder, Path(path).name))
    pedant.download_link = lambda *_: None


def main():
    given = json.load(sys.stdin)
    cases = [[list(accepted), guess, question] for _, accepted, guess, question in given["cases"]]
    with redirect_stdout(sys.stderr):
        try:
            from qa_metrics.pedant import PEDANT

            if folder := os.environ.get("PEDANT_WEIGHTS"):
                load_from(folder)
            model = PEDANT()
        except ImportError as error:
            return {"absent": f"qa-metrics cannot be imported ({error})"}
        except FileNotFoundError as error:
            name = str(error.filename).rpartition("/")[2]
            place = "in the folder that PEDANT_WEIGHTS names" if folder else "to be fetched"
            return {"absent": f"its weights ({name}) are not {place}"}
        seconds = []
        for _ in range(given["passes"]):
            begin = time.process_time()
            found = ["accept" if model.evaluate(*case) else "reject" for case in cases]
            seconds.append(time.process_time() - begin)
        likeness = None
        if given["passes"] == 1:
            likeness = [
                100 * float(max((model.get_score(text, guess, question) for text in accepted), default=0))
                for accepted, guess, question in cases
            ]
    return {"found": found, "seconds": seconds, "likeness": likeness}


if __name__ == "__main__":
    print(json.dumps(main()))
