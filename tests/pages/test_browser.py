"""The pages in a real browser, by clicking: headless Chromium through its driver."""

import json
import re
import shutil
import time
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pandas as pd
import pytest
from calscore.core import store
from support import DATA, ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
WIDTHS = (1280, 390)
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM or not DRIVER:
        pytest.skip("no Chromium with its driver (Debian: apt-get install chromium chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(params=["demo", "grace", "grace_draft"])
def results(request):
    return request.getfixturevalue(request.param)


def open_page(driver, path, anchor="", width=1280):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    driver.get("about:blank")
    for kind in ("browser", "performance"):
        driver.get_log(kind)
    driver.get(path.as_uri() + (f"#{anchor}" if anchor else ""))
    ready(driver)


def ready(driver):
    """The explorer's script comes after the first paint."""
    script = "return !document.getElementById('intro') || Boolean(window.opened)"
    wait_for(driver, lambda: driver.execute_script(script), "the explorer")


def find(driver, selector):
    from selenium.webdriver.common.by import By

    return driver.find_elements(By.CSS_SELECTOR, selector)


def texts(driver, selector) -> list[str]:
    """Texts of all elements in one look, as the page may draw them anew between two."""
    script = "return [...document.querySelectorAll(arguments[0])].map((found) => found.innerText)"
    return driver.execute_script(script, selector)


def element(driver, selector, at=0):
    """The element at that place; a page's script may still have to make it."""
    wait_for(driver, lambda: len(find(driver, selector)) > at, selector)
    return find(driver, selector)[at]


def click(driver, selector, at=0):
    target = element(driver, selector, at)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    target.click()


def heading(driver):
    return driver.execute_script("return document.querySelector('main h1')?.innerText ?? ''")


def wait_for(driver, condition, what):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"never saw {what}: {heading(driver)}")


def ids(driver) -> set[str]:
    script = "return [...document.querySelectorAll('[id]')].map((element) => element.id)"
    return set(driver.execute_script(script))


def assert_quiet(driver):
    """No console message, no request but for the files of the study."""
    assert [entry["message"] for entry in driver.get_log("browser")] == []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            assert re.match(r"(file|data|about|blob|chrome):", message["params"]["request"]["url"])


def assert_fits(driver):
    """Nothing sticks out sideways: a phone does not scroll the page to the right."""
    wide = driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]
    assert driver.execute_script("return window.innerWidth") in WIDTHS


def press(driver, key):
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver).send_keys(key).perform()


@pytest.mark.parametrize("width", WIDTHS)
def test_explorer_by_clicking(browser, results, width):
    open_page(browser, results / "explorer.html", width=width)
    assert heading(browser) == "Questions"
    assert element(browser, "#count").text == "240 of 240 questions"
    models = (results / "tables" / "table1.csv").exists()
    assert_fits(browser)
    boxes = [one.rect for one in find(browser, ".controls, .controls *")]
    count = element(browser, "#count").rect
    assert all(box["y"] + box["height"] <= count["y"] for box in boxes)
    if models:
        # On a phone that column is not shown.
        head = element(browser, "th[data-column=calscore]")
        browser.execute_script("arguments[0].click()", head)
        cells = find(browser, "#rows td[data-column=calscore]")
        values = [text for cell in cells if (text := cell.get_attribute("textContent"))]
        assert values == sorted(values, reverse=True)
        assert len(values) > 20
    from selenium.webdriver.support.ui import Select

    Select(element(browser, "#category")).select_by_value("Arts")
    assert len(find(browser, "#rows tr")) == 36
    first = element(browser, "#rows a").text
    assert "Arts" in [one.text for one in find(browser, "#rows tr:first-child a")] or width < 600
    click(browser, "#rows a")
    wait_for(browser, lambda: heading(browser).startswith(first), "the question")
    assert find(browser, "#human svg")
    assert len(find(browser, "#text .w")) > 50
    assert_fits(browser)
    click(browser, "#next")
    wait_for(browser, lambda: not heading(browser).startswith(first), "the next question")
    press(browser, "k")
    wait_for(browser, lambda: heading(browser).startswith(first), "the question before")
    press(browser, "t")
    wait_for(browser, lambda: heading(browser) == "Teams", "teams")
    assert len(find(browser, "tbody tr")) >= 20
    click(browser, "tbody a")
    wait_for(browser, lambda: find(browser, "#where svg"), "a team")
    assert_fits(browser)
    press(browser, "c")
    wait_for(browser, lambda: heading(browser) == "Categories", "categories")
    assert len(find(browser, "tbody tr")) == 6
    assert_fits(browser)
    click(browser, "tbody a")
    wait_for(browser, lambda: heading(browser) == "Arts", "a category")
    assert_fits(browser)
    press(browser, "m")
    wait_for(browser, lambda: heading(browser) == "Models", "models")
    assert find(browser, "#live svg")
    if models:
        click(browser, "tbody a")
        wait_for(browser, lambda: find(browser, "#reliability svg"), "a model")
        assert find(browser, "#categories svg")
        assert_fits(browser)
    press(browser, "/")
    wait_for(browser, lambda: find(browser, "#find"), "the search")
    assert_quiet(browser)


def test_the_explorer_starts_with_what_humans_and_models_differ_on(browser, grace):
    """Shares as if each side had one right and one wrong more, counted here from the tables."""
    buzzes = store.read(grace / "tidy" / "buzzes.parquet")
    heard = store.read(grace / "tidy" / "exposures.parquet").groupby(["kind", "question_id"]).size()
    right = buzzes[buzzes["correct"]].groupby(["kind", "question_id"]).size()
    shrunk = (right.reindex(heard.index, fill_value=0) + 1) / (heard + 2)
    apart = (shrunk["model"] - shrunk["human"]).abs().dropna()
    open_page(browser, grace / "explorer.html")
    assert "GRACE" in browser.title
    ids = texts(browser, "#rows td[data-column=id]")
    found = apart[ids[: len(apart)]]
    assert found.is_monotonic_decreasing
    assert found.iloc[0] == apart.max()
    human = buzzes[(buzzes["kind"] == "human") & (buzzes["question_id"] == ids[0])]
    cells = {c.get_attribute("data-column"): c.text for c in find(browser, "#rows tr:first-child td")}
    n, gets = heard["human", ids[0]], human["correct"].sum()
    assert cells["conversion"] == f"{round(100 * gets / n)} % {gets}/{n}"
    assert cells["neg_rate"].endswith(f"{len(human) - gets}/{n}")

    def falls():
        cells = filter(None, texts(browser, "#rows td[data-column=conversion]"))
        shares = [int(share.split(" %")[0]) for share in cells]
        return shares == sorted(shares, reverse=True)

    # A page that is still being drawn may miss a click.
    assert not falls()
    wait_for(browser, lambda: falls() or click(browser, "th[data-column=conversion]"), "rows by conversion")


def test_explorer_deep_link_shows_every_buzz(browser, demo, capsys):
    buzzes = store.read(demo / "tidy" / "buzzes.parquet")
    question = buzzes.groupby("question_id").size().idxmax()
    of = buzzes[buzzes["question_id"] == question]
    open_page(browser, demo / "explorer.html", f"question/{question}")
    assert heading(browser).startswith(question)
    with capsys.disabled():
        print(f"\nexplorer opened in {browser.execute_script('return window.opened') / 1000:.2f} s")
    found = find(browser, "#text .mark")
    marks = [(int(mark.get_attribute("data-word")), mark.text.startswith("✓")) for mark in found]
    assert sorted(marks) == sorted(zip(of["word_index"], of["correct"], strict=True))
    assert len(find(browser, "#confidence svg path, #confidence svg circle")) >= 6 * 8
    click(browser, "#text .w", 30)
    assert find(browser, "#text .w.on")
    open_page(browser, demo / "explorer.html", "question/p99-q99")
    assert "No question p99-q99" in heading(browser)
    assert_quiet(browser)


def shown(driver, selector):
    return [one for one in find(driver, selector) if one.is_displayed()]


@pytest.mark.parametrize("width", WIDTHS)
def test_audit_page_walks_from_a_number_to_raw_rows(browser, demo, grace_draft, width):
    for results, model in ((demo, "M1"), (grace_draft, "GPT-draft")):
        key = quote(f"definition=paper,elicitation=logit,model={model},marks=engine", safe="")
        path = results / "audit" / "index.html"
        open_page(browser, path, f"explain/table1/{key}/calscore", width=width)
        result = element(browser, "#result")
        assert float(result.get_attribute("data-difference")) <= 1e-12
        assert "make explain" in result.text
        click(browser, "#explained tbody a")
        wait_for(browser, lambda: len(find(browser, "#explained table")) == 3, "its tables")
        assert f"model={model}" in unquote(browser.current_url)
        assert_fits(browser)
        assert_quiet(browser)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_audit_page_shows_one_thing_at_a_time(browser, grace, width):
    """What there is, a search, checks and inputs on the first screen; a name opens what it stands for."""
    open_page(browser, grace / "audit" / "index.html", width=width)
    assert_fits(browser)
    doors = shown(browser, "#find, .door")
    assert len(doors) == 4
    assert all(one.rect["y"] + one.rect["height"] < 844 for one in doors)
    assert not shown(browser, ".card")
    height = "return document.documentElement.scrollHeight"
    assert browser.execute_script(height) < 2400
    assert texts(browser, ".flow a").count("figure4") == 1
    assert not [one for one in find(browser, ".flow a") if one.rect["height"] > 32]
    click(browser, ".flow a[href='#tables/category_margins.csv']")
    wait_for(browser, lambda: len(shown(browser, ".card")) == 1, "one table")
    assert shown(browser, ".card h2")[0].text == "tables/category_margins.csv"
    assert browser.execute_script(height) < 8000
    open_page(browser, grace / "audit" / "index.html", "figures/figure4.png", width=width)
    assert shown(browser, ".card h2")[0].text == "figures/figure4.svg"
    element(browser, "#find").send_keys("right minus wrong")
    assert "category_margins" in element(browser, "#files tbody").text
    click(browser, ".door[href='#inputs']")
    wait_for(browser, lambda: "all_teams.pkl" in shown(browser, ".card")[0].text, "inputs")
    text = (grace / "audit" / "index.html").read_text(encoding="utf-8")
    assert "05eb4e5965c31d97182882e814c0365a0dd4caba9519f4fc354e4660f65a84c0" in text
    assert not re.search(r"/(tmp|work|home|root)/", text)
    assert_quiet(browser)


def test_a_number_is_found_by_its_digits_and_by_its_table(browser, demo, grace_draft):
    """From what is typed to the number, its meaning, formula, rows and command."""
    path = demo / "audit" / "index.html"
    table = pd.read_csv(demo / "tables" / "table5.csv")
    value = table["calscore"].iloc[0]
    open_page(browser, path)
    element(browser, "#find").send_keys(f"table 5 {value:.4f}".replace("0.", "."))
    links = shown(browser, "#numbers tbody a")
    assert links and all("table5" in one.get_attribute("href") for one in links)
    assert all(one.text.startswith(f"{value:.4f}"[:4]) for one in links)
    browser.execute_script("arguments[0].click()", links[0])
    wait_for(browser, lambda: shown(browser, "#result"), "the number")
    said = element(browser, "#result").text
    assert "make explain" in said and "rows below" in said and said.startswith("calscore = ")
    for typed, rows in (("Table 5", True), ("no such words", False), (".12345678901", False)):
        open_page(browser, path)
        element(browser, "#find").send_keys(typed)
        assert bool(shown(browser, "#numbers a")) == rows, typed
    # A printed table of real data, from the first page.
    open_page(browser, grace_draft / "index.html")
    click(browser, "#printed a")
    wait_for(browser, lambda: heading(browser) == "Audit", "the audit")
    wait_for(browser, lambda: shown(browser, "#explained tbody a"), "printed numbers")
    assert "as printed" in element(browser, "#trail").text


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_the_audit_page_sort_and_filter(browser, demo, width):
    """Checks, numbers to explain, the rows behind one, and the files that have some words."""
    open_page(browser, demo / "audit" / "index.html", "checks", width=width)
    total = len(texts(browser, "#checks .all tbody tr"))
    element(browser, "#checks .tools input").send_keys("table1")
    rows = texts(browser, "#checks .all tbody tr")
    assert 0 < len(rows) < total
    assert all("table1" in row for row in rows)
    open_page(browser, demo / "audit" / "index.html", "explain/table1", width=width)
    element(browser, "#explained .tools input").send_keys("M1 release")
    rows = texts(browser, "#explained tbody tr")
    assert rows and all("M1" in row and "release" in row for row in rows)
    scores = "return [...document.querySelectorAll('#explained tbody tr')].map((row) => parseFloat(row.cells[arguments[0]].textContent))"
    heads = [one.get_attribute("textContent") for one in find(browser, "#explained th")]
    at = next(place for place, name in enumerate(heads) if name == "calscore")
    before = browser.execute_script(scores, at)
    click(browser, "#explained th", at)
    assert browser.execute_script(scores, at) == sorted(before, reverse=True)
    element(browser, "#find").send_keys("calscore conf")
    assert 0 < len(texts(browser, "#files tbody tr")) < 40
    assert not shown(browser, "#flow")
    assert_fits(browser)
    assert_quiet(browser)


def test_the_audit_page_recomputes_every_number_that_it_says_it_does(browser, demo, grace_draft):
    """Those of the printed tables, and every count of live buzzes."""
    for results in (demo, grace_draft):
        open_page(browser, results / "audit" / "index.html")
        count, worst = browser.execute_script("""
            let count = 0, worst = 0;
            for (const [name, t] of Object.entries(window.audited.tables))
              for (const values of t.rows) {
                const row = Object.fromEntries(t.columns.map((c, k) => [c, values[k]]));
                for (const c of t.numbers) {
                  if (row[c] === null) continue;
                  const found = window.recompute(name, row, c).value;
                  if (found !== null) { count++; worst = Math.max(worst, Math.abs(found - row[c])); }
                  else if (/^(correct|cumulative|per_clue|precision|packets|a_wins)$/.test(c) && !["replayed", "human teams"].some(kind => [row.a_kind, row.b_kind].includes(kind))) worst = Infinity;
                }
              }
            return [count, worst];""")
        assert count > 4000
        assert worst <= 1e-12


@pytest.mark.parametrize("width", WIDTHS)
def test_on_the_leaderboard_nothing_scrolls_out_unseen(browser, results, width):
    """The main metric first, readings folded, intervals in head to head, and no table wider than its place."""
    open_page(browser, results / "leaderboard.html", width=width)
    assert_fits(browser)
    table = find(browser, "table.data")[0]
    heads = [one.text for one in table.find_elements("css selector", "th")]
    assert width < 600 or heads[4].startswith("Expected Score ↑")
    assert not any("code" in one or "strict" in one for one in heads)
    click(browser, ".tools button")
    click(browser, ".columns-menu label", 4 + 5 - 1)
    heads = find(browser, "table.data")[0].find_elements("css selector", "th")
    assert "Win Rate, code ↑" in [one.get_attribute("data-name") for one in heads]
    browser.execute_script(OPEN_ALL)
    wide = browser.execute_script(
        "return [...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.scrollWidth} ${box.clientWidth} ${box.innerText.slice(0, 200)}`)"
    )
    assert wide == []
    pairs = find(browser, ".pair tbody tr")
    assert len(pairs) >= 3 * 18
    assert re.search(r"\d+–\d+", pairs[0].text)
    small = "return [...document.querySelectorAll('main :not(.figure *)')].filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 13).map((one) => one.outerHTML.slice(0, 80))"
    assert browser.execute_script(small) == []
    guessed = (results / "tables" / "table1.csv").exists()
    assert bool(find(browser, "#calibration")) == guessed
    click(browser, "nav.doors a[href$='audit/index.html']")
    wait_for(browser, lambda: heading(browser) == "Audit", "the audit page")
    assert_quiet(browser)


ROUTED = ("explorer.html", "explain/", "printed/")
"""What a page's script shows by its address has no element of that name before."""


def links(driver) -> list[str]:
    """Addresses of every link of the page that is open."""
    script = "return [...document.querySelectorAll('a[href]')].map((one) => one.href)"
    return list(dict.fromkeys(driver.execute_script(script)))


@pytest.mark.parametrize("width", WIDTHS)
def test_each_door_opens(browser, results, width):
    """Every page of the header and every notebook, each link of each of them, and the place in the page that it names."""
    index = results / "index.html"
    open_page(browser, index, width=width)
    assert_fits(browser)
    assert element(browser, "#what").rect["y"] < (450 if width < 600 else 275)
    assert "commit" in element(browser, "#commit").text
    doors = [one.get_attribute("href") for one in find(browser, "nav.doors a")]
    assert len(doors) >= 7
    notebooks = [path.as_uri() for path in sorted((results / "notebooks").glob("*.html"))]
    places: dict[Path, set[str]] = {}
    for page in dict.fromkeys([*(one.partition("#")[0] for one in doors), *notebooks]):
        browser.get(page)
        ready(browser)
        assert heading(browser), page
        assert_fits(browser)
        assert_quiet(browser)
        assert [one.get_attribute("href") for one in find(browser, "nav.doors a")] == doors, page
        for link in map(urlsplit, links(browser)):
            path = Path(unquote(link.path))
            assert path.exists(), f"{page}: {path}"
            places.setdefault(path, set()).add(unquote(link.fragment))
    assert {Path(unquote(urlsplit(one).path)) for one in doors} <= set(places)
    for path, names in places.items():
        if path.suffix == ".html" and path.name not in ROUTED:
            browser.get(path.as_uri())
            # A filter of the ledger (verdict=fails) is no place.
            wanted = {one for one in names if one and "=" not in one and not one.startswith(ROUTED)}
            # The page's script makes some of the places.
            wait_for(browser, lambda wanted=wanted: wanted <= ids(browser), f"{path}: {wanted}")


def test_folded_parts_print_unfolded(browser, results):
    """But for the statements of the ledger, of which a reader opens what is to be printed."""
    for name in ("index.html", "leaderboard.html", "ledger.html"):
        open_page(browser, results / name)
        seen = """
            const folded = [...document.querySelectorAll('details:not([open])')].filter((one) => one.checkVisibility());
            const inside = folded.flatMap((one) => [...one.querySelectorAll(':scope > :not(summary)')]);
            return inside.filter((one) => one.checkVisibility()).length / inside.length"""
        assert browser.execute_script(seen) == 0
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = browser.execute_script(seen)
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        assert shown == (0 if name == "ledger.html" else 1), name


@pytest.mark.parametrize("width", WIDTHS)
def test_a_segment_filters_the_ledger_and_a_statement_opens_its_rows(browser, results, width):
    open_page(browser, results / "index.html", width=width)
    click(browser, ".bar a")
    wait_for(browser, lambda: heading(browser) == "Ledger", "the ledger")
    rows = shown(browser, ".entry")
    assert rows
    assert {one.get_attribute("data-verdict") for one in rows} == {"fails"}
    assert element(browser, "#count").text.startswith(f"{len(rows)} of ")
    place = rows[0].get_attribute("id").removeprefix("statement/")
    open_page(browser, results / "ledger.html", f"statement/{place}", width=width)
    wait_for(browser, lambda: shown(browser, ".entry[open] .row dl"), "the opened statement")
    buttons = find(browser, ".row button[data-file]")
    assert buttons
    entry = buttons[0].find_element("xpath", "ancestor::details")
    browser.execute_script("arguments[0].open = true", entry)
    number = int(re.sub(r"\D", "", buttons[0].text) or 1)
    browser.execute_script("arguments[0].click()", buttons[0])
    lines = "return arguments[0].querySelectorAll('.row tbody tr').length"
    assert browser.execute_script(lines, entry) == min(number, 50)
    assert_fits(browser)
    chosen = "verdict=holds&basis=printed+arithmetic"
    open_page(browser, results / "ledger.html", chosen, width=width)
    bases = {one.get_attribute("data-basis") for one in shown(browser, ".entry")}
    assert bases == {"printed arithmetic"}
    element(browser, "#find").send_keys("no such words")
    wait_for(browser, lambda: not shown(browser, ".entry"), "nothing left")
    assert element(browser, "#count").text.startswith("0 of ")
    open_page(browser, results / "ledger.html", width=width)
    said = "return [...document.querySelectorAll('.entry')].map((entry) => entry.dataset.verdict)"
    verdicts = browser.execute_script(said)
    # On a phone the verdict stands in its statement; the filters remain.
    heads = find(browser, "#statements th")
    for _ in range(2):
        browser.execute_script("arguments[0].click()", heads[0])
    again = browser.execute_script(said)
    assert list(dict.fromkeys(again)) == list(dict.fromkeys(verdicts))[::-1]
    assert_fits(browser)
    assert_quiet(browser)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_screen_has_three_findings_and_their_chart(browser, results, width):
    open_page(browser, results / "index.html", width=width)
    assert len(shown(browser, "#findings li")) == 3
    assert len(shown(browser, "#chart .dot-row.axis")) == 1
    assert element(browser, "#chart").rect["y"] < 900
    # A study without guesses has no model at further thresholds.
    if find(browser, "#variants"):
        click(browser, "#variants summary")
        assert shown(browser, "#variants tbody tr")
    assert_fits(browser)
    open_page(browser, results / "index.html", "all")
    assert shown(browser, ".doors-list")


VIEWS = [
    *("index.html", "ledger.html", "leaderboard.html", "audit/index.html", "statistics.html"),
    *("notebooks/human_curve.html", "explorer.html#questions", "explorer.html#models"),
    *("explorer.html#categories", "explorer.html#teams", "explorer.html#category/Arts"),
    *("explorer.html#model/M1", "explorer.html#question/p01-q04", "explorer.html#team/H1"),
]


@pytest.mark.parametrize("study", ["demo", "played"])
def test_no_page_has_a_barrier_that_axe_finds(browser, request, study):
    """axe-core 4.14.1 (MPL 2.0) on every page with everything opened."""
    folder = request.getfixturevalue(study)
    axe = (DATA / "axe.min.js").read_text(encoding="utf-8")
    browser.set_script_timeout(300)
    for view in VIEWS:
        name, _, anchor = view.partition("#")
        if (folder / name).exists():
            open_page(browser, folder / name, anchor)
            wait_for(browser, lambda: heading(browser), view)
            browser.execute_script(OPEN_ALL)
            browser.execute_script(axe)
            violations = browser.execute_async_script(
                "axe.run(document, {resultTypes: ['violations']}).then((found) => arguments[0](found.violations.map((one) => [one.id, one.nodes[0].html])))"
            )
            assert violations == [], view


def test_icons_of_the_report_keep_their_size_on_a_phone(browser, tmp_path):
    """Those of Snakemake's lists open a figure and its caption; a narrow cell must not shrink them."""
    style = (ROOT / "workflow" / "report" / "report.css").read_text(encoding="utf-8")
    cell = '<td><a><svg width="16" height="16"></svg></a></td>'
    page = tmp_path / "report.html"
    page.write_text(f'<meta name="viewport" content="width=device-width"><style>{style}</style><div id="app"><table style="width:100%"><td style="width:100%">x</td>{cell}</table></div>')  # fmt: skip
    open_page(browser, page, width=390)
    assert browser.execute_script("return document.querySelector('svg').clientWidth") == 16
