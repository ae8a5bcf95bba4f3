"""Functions of the rules in audit.smk and notebooks.smk; no rules."""

from calscore.audit import dag


def made(wildcards, *suffixes):
    """Files of a study that the catalog lists, the desk's own left out; of some suffixes or all."""
    features = study_config.features(STUDIES[wildcards.study])
    paths = [product.path for product in catalog.studied(features)]
    return [
        f"results/{wildcards.study}/{path}"
        for path in paths
        if not suffixes or path.endswith(suffixes)
    ]


def made_tables(wildcards):
    """The tables of a study, intermediate and final."""
    return made(wildcards, ".parquet", ".csv")


def rules_behind(wildcards):
    """Rule → what it reads and writes, for every rule that some file of the study comes from."""
    return dag.rules_behind(workflow.rules, made(wildcards), PACKAGE)


def desk(wildcards):
    """What is made from all the rest, the manifest left out."""
    features = study_config.features(STUDIES[wildcards.study])
    return [
        f"results/{wildcards.study}/{product.path}"
        for product in catalog.DESK
        if product.possible(features) and product.path != "audit/manifest.json"
    ]


def all_schemas():
    """Every table schema: the checks read them."""
    return schemas(
        *sorted(path.stem for path in (PACKAGE / "calscore" / "tables" / "schemas").glob("*.yaml"))
    )


def template(name):
    """A page template and what it includes."""
    folder = PACKAGE / "calscore" / "pages"
    stem = name.split(".")[0]
    names = (name, f"{stem}.js", "page.css")
    paths = [folder / "templates" / one for one in names]
    return [os.path.relpath(path) for path in paths if path.exists()]


def vendored():
    """The charting libraries that pages bring along."""
    return [
        os.path.relpath(path)
        for path in sorted((PACKAGE / "calscore" / "pages" / "vendor").iterdir())
    ]
