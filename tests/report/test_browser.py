"""The report in a real headless browser. Skipped where there is none; with CRTOOLS_REQUIRE_BROWSER=1 that is a failure."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from crtools.ledger import ClaimResult
from crtools.report.dependencies import dependencies

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


def _missing(what: str) -> None:
    if os.environ.get("CRTOOLS_REQUIRE_BROWSER") == "1":
        pytest.fail(f"CRTOOLS_REQUIRE_BROWSER=1 and there is no {what}")
    pytest.skip(f"no {what}: install Debian's chromium and chromium-driver, and the test extra")


@contextmanager
def started(profile: Path, *, script: bool = True) -> Iterator[Any]:
    """A browser with a fresh profile. Without ``script`` pages run none."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        _missing("chromium" if browser is None else "chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        _missing("selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    running.set_script_timeout(180)  # axe-core takes longer where the machine is shared
    try:
        yield running
    finally:
        running.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, made_up_page: str) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(made_up_page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with started(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def page(browser: Any, address: str) -> Any:
    browser.get("about:blank")  # a page with the same address and another fragment is not loaded again
    browser.get(address)
    return browser


def wide(page: Any, width: int) -> None:
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def visible_rows(page: Any) -> list[str]:
    return page.execute_script(
        "return [...document.querySelectorAll('table.ledger tbody tr')].filter(r => r.offsetHeight > 0)"
        ".map(r => r.querySelector('a').textContent)"
    )


def choose(page: Any, name: str, value: str) -> None:
    page.execute_script(
        "const c = document.querySelector(`[data-filter=${arguments[0]}]`);"
        "if (c.type === 'checkbox') c.checked = Boolean(arguments[1]); else c.value = arguments[1];"
        "c.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        value,
    )


def test_filters_hide_rows_and_show_all_brings_them_back(page: Any, made_up: list[ClaimResult]) -> None:
    everything = [r.id for r in made_up]
    assert visible_rows(page) == everything
    choose(page, "at-in-practice", "contradicted")
    false = [r.id for r in made_up if "in-practice" in r.levels and r.at("in-practice").status == "contradicted"]
    assert visible_rows(page) == false
    assert page.find_element("css selector", ".filters output").text == f"{len(false)} of {len(everything)} claims"
    choose(page, "proof", "sound")
    assert visible_rows(page) == []
    assert page.find_element("css selector", ".nothing").is_displayed()
    page.find_element("css selector", ".filters button[type=reset]").click()
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert visible_rows(page) == everything
    assert not page.find_element("css selector", ".nothing").is_displayed()
    nodes = dependencies(made_up)
    choose(page, "ground", "1")
    assert visible_rows(page) == [r.id for r in made_up if nodes[r.id].false] == ["follows"]
    choose(page, "ground", "")
    choose(page, "text", "odd numbers lemma")
    assert visible_rows(page) == ["odd-sum"]
    cards = page.find_elements("css selector", "article.claim")
    assert [c.get_attribute("data-claim") for c in cards if c.get_attribute("hidden") is None] == ["odd-sum"]
    assert page.current_url.endswith("#?text=odd+numbers+lemma")


def test_a_word_and_its_number_are_one_phrase(page: Any, made_up: list[ClaimResult]) -> None:
    numbered = next(r for r in made_up if any(c.isdigit() for c in r.place))
    word, number = numbered.place.lower().split(" ")[:2]
    choose(page, "text", f"{word} {number}")
    assert numbered.id in visible_rows(page)
    choose(page, "text", f"{number} {word}")
    choose(page, "text", f"{word} {number}7")
    assert visible_rows(page) == []
    page.execute_script("location.hash = '#?proof=sound'")
    page.execute_async_script("setTimeout(arguments[0], 50)")
    assert visible_rows(page) == [r.id for r in made_up if r.proof.state == "sound"]


def test_a_click_and_the_keyboard_sort_the_ledger(page: Any, made_up: list[ClaimResult]) -> None:
    from selenium.webdriver.common.keys import Keys

    wide(page, 1280)
    heads = page.find_elements("css selector", "table.ledger thead th button")
    assert [h.text for h in heads] == ["Claim", "on-paper", "in-practice", "Proof", "What was found"]
    ids = [r.id for r in made_up]
    heads[0].click()
    assert visible_rows(page) == ids[::-1]
    heads[0].send_keys(Keys.ENTER)
    assert visible_rows(page) == ids
    heads[1].click()
    assert visible_rows(page)[:3] == [
        "growth",
        "follows",
        "odd-sum",
    ]  # refuted, inconclusive, certified; then no verdict
    head = page.find_element("css selector", "table.ledger thead th:nth-child(2)")
    assert head.get_attribute("aria-sort") == "ascending"
    heads[3].click()
    assert visible_rows(page)[0] == "growth"


def test_nothing_is_logged_and_nothing_is_asked_from_a_network(browser: Any, address: str) -> None:
    browser.get("about:blank")
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.get(address)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true); scrollTo(0, 1e9)")
    browser.execute_async_script("setTimeout(arguments[0], 300)")
    assert browser.get_log("browser") == []
    sent = [json.loads(row["message"])["message"] for row in browser.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in sent if m["method"] == "Network.requestWillBeSent"]
    assert address in asked
    assert all(url == address or url.startswith("data:") for url in asked)


def test_nothing_overflows_at_the_width_of_a_phone(page: Any) -> None:
    wide(page, 390)
    size = "return [document.documentElement.scrollWidth, innerWidth]"
    assert page.execute_script(size) == [390, 390]
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.execute_script(size) == [390, 390]
    wide(page, 1280)
    across, inner = page.execute_script(size)
    assert across <= inner == 1280


def test_what_is_too_wide_says_that_it_scrolls(page: Any) -> None:
    wide(page, 390)
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.execute_script(
        "const r = document.querySelector('#claim-growth .scroll'); r.scrollIntoView();"
        "r.querySelectorAll('td').forEach(d => d.style.minWidth = '30rem')"
    )
    page.execute_async_script("setTimeout(arguments[0], 200)")
    hint = page.execute_script(
        "const r = document.querySelector('#claim-growth .scroll');"
        "return [getComputedStyle(r, '::before').content, r.tabIndex, r.scrollWidth > r.clientWidth]"
    )
    assert hint == ['"↔ scroll sideways"', 0, True]
    wide(page, 1280)


def test_a_link_into_what_is_folded_unfolds_it(page: Any) -> None:
    inner = page.execute_script(
        "const s = document.querySelector('.theorem details.proof li strong'); s.id = 'inner'; return s.offsetHeight"
    )
    assert not page.execute_script("return document.querySelector('.theorem details.proof').open")
    page.execute_script("location.hash = '#inner'")
    page.execute_async_script("setTimeout(arguments[0], 100)")
    assert page.execute_script("return document.querySelector('.theorem details.proof').open")
    assert page.execute_script("return document.getElementById('inner').offsetHeight") > 0, inner


@pytest.mark.exhaustive  # takes seconds
def test_without_a_script_every_claim_is_there_unfiltered(
    tmp_path: Path, address: str, made_up: list[ClaimResult]
) -> None:
    with started(tmp_path / "profile", script=False) as page:
        page.get(address)
        rows = page.find_elements("css selector", "table.ledger tbody tr")
        assert [r.find_element("css selector", "a").text for r in rows] == [r.id for r in made_up]
        assert all(r.is_displayed() for r in rows)
        assert not page.find_element("css selector", "form.filters").is_displayed()
        assert page.find_elements("css selector", "table.ledger thead button") == []  # the script makes them
        for result in made_up:
            assert page.find_element("id", f"claim-{result.id}").is_displayed()
        folded = page.find_element("css selector", "details.findings")
        assert not folded.find_element("css selector", "dl").is_displayed()
        folded.find_element("css selector", "summary").click()
        assert folded.find_element("css selector", "dl").is_displayed()


def test_the_dark_page_is_dark_and_readable(page: Any) -> None:
    def colours() -> list[list[float]]:
        return page.execute_script(
            "const s = getComputedStyle(document.body);"
            "return [s.backgroundColor, s.color].map(c => c.match(/[\\d.]+/g).slice(0, 3).map(Number))"
        )

    light = [sum(c) for c in colours()]
    features = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    dark = [sum(c) for c in colours()]
    figure = page.execute_script("return getComputedStyle(document.querySelector('.plot img')).filter")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert light[0] - light[1] > 400
    assert dark[1] - dark[0] > 400
    assert "invert" in figure  # a white figure does not glare


def faults(page: Any, width: int, scheme: str) -> list[tuple[str, str]]:
    """What axe-core finds on the page with everything unfolded and rendered: a rule, and the start of an element."""
    try:
        from selenium_axe_python import Axe
    except ImportError:
        _missing("selenium-axe-python")
    wide(page, width)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    page.execute_async_script(
        "document.querySelectorAll('details').forEach(d => d.open = true);"
        "document.querySelectorAll('.claim, .theorem').forEach(e => e.style.contentVisibility = 'visible');"
        "setTimeout(arguments[0], 300)"
    )
    axe = Axe(page)
    axe.inject()
    found = axe.run(options="{resultTypes: ['violations']}")["violations"]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    wide(page, 1280)
    return [(rule["id"], node["html"][:200]) for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(page: Any, width: int, scheme: str) -> None:
    assert faults(page, width, scheme) == []


@pytest.mark.exhaustive  # takes seconds
def test_axe_finds_what_is_wrong(page: Any) -> None:
    page.execute_script("document.querySelector('.plot img').removeAttribute('alt')")
    assert "image-alt" in [rule for rule, _ in faults(page, 1280, "light")]


def thin(page: Any) -> None:
    """Leave every thirtieth card, theorem and erratum: all of the paper's page takes axe-core minutes."""
    page.execute_script(
        "for (const kind of ['.claim', '.theorem', '.errata > li'])"
        "document.querySelectorAll(kind).forEach((e, n) => { if (n % 30) e.remove() })"
    )


@pytest.mark.exhaustive
def test_axe_finds_nothing_on_the_page_of_the_paper(browser: Any, tmp_path: Path, report_page: str) -> None:
    (tmp_path / "report.html").write_text(report_page, encoding="utf-8")
    browser.get((tmp_path / "report.html").as_uri())
    thin(browser)
    assert faults(browser, 390, "dark") == []


@pytest.mark.exhaustive  # takes seconds
def test_in_print_there_are_the_ledger_and_the_errata_and_no_cards(page: Any) -> None:
    from base64 import b64decode

    wide(page, 700)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = page.execute_script(
            "const high = s => document.querySelector(s).getBoundingClientRect().height;"
            "return Object.fromEntries(['table.ledger thead', '#errata', '#claims', '#theorems', '.filters']"
            ".map(s => [s, high(s)]))"
        )
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        wide(page, 1280)
    assert {name: height > 0 for name, height in shown.items()} == {
        "table.ledger thead": True, "#errata": True, "#claims": False, "#theorems": False, ".filters": False,
    }  # fmt: skip
    pdf = b64decode(page.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"])
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 5


@pytest.mark.exhaustive  # takes seconds
def test_claims_that_are_chosen_are_printed_with_their_evidence(page: Any) -> None:
    choose(page, "text", "odd numbers lemma")
    opened = (
        "return [...document.querySelectorAll('#claim-odd-sum .findings, #claim-odd-sum .evidence')].map(d => d.open)"
    )
    before = page.execute_script(opened)
    assert not all(before)
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert all(page.execute_script(opened))
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = page.execute_script(
            "const high = s => document.querySelector(s).getBoundingClientRect().height > 0;"
            "return ['#claims', '#claim-odd-sum .evidence', '#errata', '#dependencies'].map(high)"
        )
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == [True, True, False, False]
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    assert page.execute_script(opened) == before


@pytest.mark.exhaustive  # takes seconds
def test_the_page_of_the_paper_prints_on_sixty_pages(browser: Any, tmp_path: Path, report_page: str) -> None:
    from base64 import b64decode

    (tmp_path / "report.html").write_text(report_page, encoding="utf-8")
    browser.get((tmp_path / "report.html").as_uri())
    pdf = b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"])
    assert 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 60
