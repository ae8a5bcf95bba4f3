"""Input and params functions of the rules that write pages (../pages.smk and ../leaderboard.smk)."""


def masthead(wildcards):
    """What stands above every page, and whether it shows texts (:func:`calscore.pages.base.render`)."""
    study = STUDIES[wildcards.study]
    return {
        "study": wildcards.study,
        "title": study["title"] or wildcards.study,
        "simulated": simulated(wildcards),
        "hidden": study["options"]["texts"] == "hidden",
        "features": sorted(features(wildcards.study)),
        "names": model_names(wildcards),
    }


def masthead_of_all(wildcards):
    """What stands above the page of all studies."""
    return {
        "study": TOGETHER,
        "title": "All studies",
        "simulated": all("simulated" in features(name) for name in STUDIES),
        "hidden": False,
        "features": [],
        "names": {},
    }
