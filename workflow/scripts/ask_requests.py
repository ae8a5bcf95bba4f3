"""Send a file of requests to a guesser, and write its replies in their order."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, sending
    from calscore.guess import ask

    guesser, file = snakemake.params.guesser, f"{snakemake.wildcards.requests}_requests"
    rows = asking.read_lines(snakemake.input.requests, asking.REQUEST_KEYS)
    requests = sending.requests(guesser, rows)
    stored = ask.send(guesser, {file: requests}, snakemake.params.replies)
    asking.write_lines(sending.replies(requests, stored), snakemake.output.replies)
