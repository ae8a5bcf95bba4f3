"""One vector per item."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.irt import embeddings

    items, settings = store.read(snakemake.input.item_list), snakemake.params.settings
    if snakemake.input.embeddings:
        table = embeddings.read(snakemake.input.embeddings, items)
    elif settings["embedding"] == "tfidf":
        table = embeddings.tfidf(
            items, settings["text"], settings["embedding_size"], settings["seed"]
        )
    else:
        table = embeddings.sentence_transformer(items, settings["text"], settings["embedding"])
    store.write(table, "embeddings", snakemake.output.embeddings, {"items": items})
