"""Input and params functions of the rules that write pages (../pages.smk and ../leaderboard.smk)."""


def masthead(wildcards):
    """What stands above every page, and whether it shows texts (:func:`calscore.pages.base.render`)."""
    shown = {"study": wildcards.study, "title": "All studies", "simulated": simulated(wildcards)}
    shown |= {"hidden": False, "features": [], "names": {}}
    if wildcards.study == TOGETHER:
        return shown
    study = STUDIES[wildcards.study]
    return shown | {
        "title": study["title"] or wildcards.study,
        "hidden": study["options"]["texts"] == "hidden",
        "features": sorted(features(wildcards.study)),
        "names": model_names(wildcards),
    }
