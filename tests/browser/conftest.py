"""A real service and a real browser.

One service and one browser serve all tests of a process; every page is a new guest's. Tests use people's
words and roles to find things, as people do.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from tests.browser.service import Service
from tests.patience import PATIENCE

# As root a browser needs --no-sandbox; the rest keeps it from calling home.
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-gpu-watchdog",  # or a busy machine loses what draws, and pages wait for ever
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Nothing moves unless a test is about that; what is set later on the page stays. An empty page keeps nothing.
_AT_FIRST = """if (location.origin !== "null") localStorage["dicetown.settings"] ??= '{"speed": "SPEED"}'"""

NewPage = Callable[..., Page]
Expect = Callable[[str], None]
#: What went wrong on the pages of the running test: errors that nobody caught, complaints of the console.
_problems: list[str] = []
_expected: list[str] = []  # patterns of what it says itself
expect.set_options(timeout=PATIENCE * 1000)


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium."""
    chromium = os.environ.get("DICETOWN_CHROMIUM") or shutil.which("chromium")
    assert chromium, "The browser tests need Chromium: `make tools` installs it, or says how."
    return playwright.chromium.launch(executable_path=chromium, args=_FLAGS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser that the tests of a file share.

    Not for longer: while Playwright runs, this thread has an event loop, and other tests want their own.
    """
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that all tests of a process share."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        yield running


def new_context(
    browser: Browser, width: int = 1440, height: int = 900, speed: str = "instant", **options: Any
) -> BrowserContext:
    """A browser of somebody new."""
    settings = {"locale": "en-GB", "reduced_motion": "reduce"} | options
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    context.set_default_timeout(PATIENCE * 1000)
    context.on("weberror", lambda problem: _problems.append(str(problem.error)))
    context.on("console", _hear_console)
    context.add_init_script(_AT_FIRST.replace("SPEED", speed))
    return context


#: What the driver says itself when a test wants no service worker.
_OF_THE_DRIVER = "Service Worker registration blocked by Playwright"


def _hear_console(message: ConsoleMessage) -> None:
    if message.type in ("error", "warning") and message.text != _OF_THE_DRIVER:
        _problems.append(f"{message.type}: {message.text} ({message.location['url']})")


@pytest.fixture
def expect_problem() -> Expect:
    """Say what a page will complain of, as a pattern: in tests of what goes wrong, and only there."""
    return _expected.append


@pytest.fixture(autouse=True)
def _no_problems() -> Iterator[None]:
    """Fail a test if anything goes wrong on one of its pages, whatever the test is about.

    It is the first to be set up and the last to look: pages may complain until they are closed.
    """
    _problems.clear()
    _expected.clear()
    yield
    unexpected = [one for one in _problems if not any(re.search(pattern, one) for pattern in _expected)]
    assert unexpected == []


@pytest.fixture(autouse=True)
def _dice_of_its_own(request: pytest.FixtureRequest) -> None:
    """Let a test roll the same dice whichever tests ran before it, and in whichever process."""
    if "service" in request.fixturenames:
        request.getfixturevalue("service").belong_to(request.node.nodeid)


@pytest.fixture
def new_page(browser: Browser, service: Service) -> Iterator[NewPage]:
    """Open the start page, or another, as a new guest.

    A whole address leads to another service.
    """
    contexts: list[BrowserContext] = []

    def open_page(path: str = "/", **options: Any) -> Page:
        context = new_context(browser, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(urljoin(service.address, path))
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """The start page, on a desk."""
    return new_page()


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker, as a script for a page."""
    root = Path(__file__).parents[2]
    return (root / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
