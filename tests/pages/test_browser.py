"""The pages in a real browser, by clicking: headless Chromium through its driver."""

import json
import re
import shutil
import time

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM or not DRIVER:
        pytest.skip(
            "no Chromium with its driver found (Debian: apt-get install chromium chromium-driver)"
        )
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


def find(driver, selector):
    from selenium.webdriver.common.by import By

    return driver.find_elements(By.CSS_SELECTOR, selector)


def click(driver, selector, at=0):
    element = find(driver, selector)[at]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def heading(driver):
    return driver.execute_script("return document.querySelector('main h1')?.innerText ?? ''")


def wait_for(driver, condition, what):
    for _ in range(100):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"never saw {what}: {heading(driver)}")


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
    assert len(find(browser, "#rows tr")) == 240
    models = (results / "tables" / "table1.csv").exists()
    assert_fits(browser)
    if models:
        from selenium.webdriver.common.keys import Keys

        click(browser, "th[data-sort=calscore] button")
        values = browser.execute_script(
            "return [...document.querySelectorAll('#rows td:nth-child(4)')].map((cell) => cell.textContent)"
        )
        values = [value for value in values if value]
        assert values == sorted(values, reverse=True)
        assert len(values) > 20
        # Cells show three decimals of the score that the bound is held against.
        bound = float(values[10]) - 5e-4
        find(browser, "#calscore")[0].send_keys(f"{bound:.4f}")
        assert len(find(browser, "#rows tr")) == sum(float(value) > bound for value in values)
        find(browser, "#calscore")[0].send_keys(Keys.CONTROL + "a", Keys.DELETE)
        find(browser, "#disagreement")[0].send_keys("2")
        assert not find(browser, "#rows tr")
        find(browser, "#disagreement")[0].send_keys(Keys.CONTROL + "a", Keys.DELETE)
        assert len(find(browser, "#rows tr")) == 240
    from selenium.webdriver.support.ui import Select

    Select(find(browser, "#category")[0]).select_by_value("Arts")
    assert len(find(browser, "#rows tr")) == 36
    first = find(browser, "#rows a")[0].text
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
    press(browser, "m")
    wait_for(browser, lambda: heading(browser) == "Models", "models")
    if models:
        click(browser, "tbody a")
        wait_for(browser, lambda: find(browser, "#reliability svg"), "a model")
        assert find(browser, "#categories svg")
        assert_fits(browser)
    press(browser, "/")
    wait_for(browser, lambda: find(browser, "#find"), "the search")
    assert_quiet(browser)


def test_explorer_deep_link_shows_every_buzz(browser, demo, capsys):
    from calscore.core import store

    buzzes = store.read(demo / "tidy" / "buzzes.parquet")
    question = buzzes.groupby("question_id").size().idxmax()
    of = buzzes[buzzes["question_id"] == question]
    open_page(browser, demo / "explorer.html", f"question/{question}")
    assert heading(browser).startswith(question)
    with capsys.disabled():
        print(f"\nexplorer opened in {browser.execute_script('return window.opened') / 1000:.2f} s")
    marks = [
        (int(m.get_attribute("data-word")), m.text.startswith("✓"))
        for m in find(browser, "#text .mark")
    ]
    assert sorted(marks) == sorted(zip(of["word_index"], of["correct"], strict=True))
    assert len(find(browser, "#confidence svg path, #confidence svg circle")) >= 6 * 8
    click(browser, "#text .w", 30)
    assert find(browser, "#text .w.on")
    open_page(browser, demo / "explorer.html", "question/p99-q99")
    assert "No question p99-q99" in heading(browser)
    assert_quiet(browser)


@pytest.mark.parametrize("width", WIDTHS)
def test_audit_page_walks_from_a_number_to_raw_rows(browser, demo, grace_draft, width):
    for results in (demo, grace_draft):
        path = results / "audit" / "index.html"
        open_page(browser, path, width=width)
        assert_fits(browser)
        click(browser, ".flow a[href='#scores/model_scores.parquet']")
        assert "model_scores" in browser.current_url
        open_page(browser, path, "explain/table1/0/calscore", width=width)
        result = find(browser, "#result")[0]
        assert float(result.get_attribute("data-difference")) <= 1e-12
        assert "make explain" in result.text
        click(browser, "#explained tbody a")
        wait_for(
            browser, lambda: len(find(browser, "#explained table")) == 3, "clues, guesses, buzzes"
        )
        assert_fits(browser)
        assert_quiet(browser)


def test_the_audit_page_recomputes_every_number_that_it_says_it_does(browser, demo, grace_draft):
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
                }
              }
            return [count, worst];""")
        assert count > 100
        assert worst <= 1e-12


@pytest.mark.parametrize("width", WIDTHS)
def test_notebook_pages_fit_and_are_quiet(browser, demo, width):
    for path in sorted((demo / "notebooks").glob("*.html")):
        open_page(browser, path, width=width)
        assert heading(browser)
        assert_fits(browser)
        assert_quiet(browser)
