"""PEDANT on the cases of stdin, in an environment of its own: ``python pedant.py < cases.json``.

qa-metrics fetches the weights from its authors' repository when it is first used.
"""

import json
import sys
import time
from contextlib import redirect_stdout


def main():
    cases = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        try:
            from qa_metrics.pedant import PEDANT

            model = PEDANT()
        except ImportError as error:
            return {"absent": f"qa-metrics cannot be imported ({error})"}
        except FileNotFoundError as error:
            name = str(error.filename).rpartition("/")[2]
            return {
                "absent": f"its weights ({name}) could not be fetched from its authors' repository"
            }
        passes = []
        for _ in range(2):
            begin = time.process_time()
            found = [
                "accept" if model.evaluate(list(accepted), guess, question) else "reject"
                for _, accepted, guess, question in cases
            ]
            passes.append(time.process_time() - begin)
    return {"found": found, "cold": passes[0], "warm": passes[1]}


if __name__ == "__main__":
    print(json.dumps(main()))
