"""The page in a browser: no error on its console, nothing asked of the net, A4 on paper, no chart wider than its place.

Left out where there is no Chromium, unless LLSIM_NEEDS_BROWSER says that there must be one.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import run
from kept_results import keep

from lostlegacy_sim.report.shown import shown_of

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
NEEDED = bool(os.environ.get("LLSIM_NEEDS_BROWSER"))
NO_PAGE = "not an origin"  # in the log of the net: the browser itself has asked
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-default-apps", "--disable-extensions", "--disable-sync", "--disable-domain-reliability", "--no-pings",
         "--disable-dev-shm-usage")  # fmt: skip

pytestmark = pytest.mark.skipif(BROWSER is None and not NEEDED, reason="no Chromium here")


def test_there_is_a_browser():
    assert BROWSER is not None, f"LLSIM_NEEDS_BROWSER is set, but there is none of {', '.join(NAMES)}"


def browse(page: Path, *words: str) -> tuple[list[str], list[str], str]:
    """Open a page: what its console said, what it asked of the net, and what the browser printed.

    Every name is resolved to nowhere. The browser's log of the net tells the page's requests from the browser's own, which
    no page has initiated.
    """
    assert BROWSER is not None
    log = page.parent / "net.json"
    ran = subprocess.run(
        [BROWSER, *QUIET, f"--user-data-dir={page.parent / 'profile'}", f"--log-net-log={log}", "--host-resolver-rules=MAP * ~NOTFOUND",
         "--enable-logging=stderr", *words, page.as_uri()],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    said = [line for line in ran.stderr.splitlines() if ":CONSOLE" in line]
    requests = [event["params"] for event in json.loads(log.read_text(encoding="utf-8"))["events"] if "url" in event.get("params", {})]
    asked = {request["url"] for request in requests if request.get("initiator", NO_PAGE) != NO_PAGE}
    return said, sorted(asked), ran.stdout


SWEEP = '[sweep]\n"search.copies" = "1..3"\n"assault.copies" = [2, 3]\n'
EXPLORED = {"mixes": ("--family", "mixes"), "guidelines": ("--family", "guidelines", "--members", "4"), "sweep": ("sweep.toml", "--players", "2,4")}


@pytest.fixture(scope="module", params=["results", *EXPLORED])
def page(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    if request.param == "results":
        keep(folder / "kept", (2, 3, 4), ("careful", "random"), 1500)
    else:
        (folder / "sweep.toml").write_text(SWEEP)
        words = [word.replace("sweep.toml", str(folder / "sweep.toml")) for word in EXPLORED[request.param]]
        assert run("explore", *words, "--bots", "random", "--deals", "200", "--out", str(folder / "kept")).code == 0
    (folder / "page.html").write_text(shown_of([str(folder / "kept")]).html(), encoding="utf-8")
    return folder / "page.html"


def test_no_error_on_the_console_and_nothing_asked_of_the_net(page):
    said, asked, document = browse(page, "--dump-dom")
    assert said == []
    assert asked == []
    assert "How this was found" in document


def test_a_page_that_asks_the_net_would_be_seen(page):
    bad = page.with_name("bad.html")
    text = page.read_text(encoding="utf-8")
    bad.write_text(text.replace("<main>", '<main><img src="http://example.org/spy.png">'), encoding="utf-8")
    said, asked, _ = browse(bad, "--dump-dom")
    assert "Content Security Policy" in "".join(said)  # the page's own rule stops it
    assert asked == []
    bad.write_text(re.sub(r"<meta http-equiv.*?>", "", bad.read_text(encoding="utf-8")), encoding="utf-8")
    _, asked, _ = browse(bad, "--dump-dom")
    assert asked == ["http://example.org/spy.png"]


# A page that measures the other one in a frame of a phone's, a tablet's or a desk's width and writes down what sticks out.
MEASURE = """<!DOCTYPE html><script>
function measure(frame) {
  const page = frame.contentDocument, wide = page.documentElement.clientWidth, found = [];
  if (page.documentElement.scrollWidth > wide) found.push("the page is " + page.documentElement.scrollWidth + " wide");
  for (const svg of page.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect(), name = svg.querySelector("title").textContent;
    if (!box.width || !box.height) found.push(name + " is not shown");
    for (const text of svg.querySelectorAll("text")) {
      const place = text.getBoundingClientRect();
      if (place.left < box.left - 1 || place.right > box.right + 1 || place.top < box.top - 1 || place.bottom > box.bottom + 1)
        found.push(name + ": " + text.textContent);
      if (place.height < 7) found.push(name + ": too small: " + text.textContent);
    }
  }
  document.title = "measured";
  document.body.append(JSON.stringify([page.querySelectorAll("svg text").length, found]));
}
</script><body><iframe src="page.html" style="width: WIDEpx; height: 900px" onload="measure(this)"></iframe></body>"""


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_cut_at_any_width(page, width):
    ruler = page.with_name(f"ruler-{width}.html")
    ruler.write_text(MEASURE.replace("WIDE", str(width)), encoding="utf-8")
    _, _, document = browse(ruler, "--allow-file-access-from-files", f"--window-size={width + 60},1000", "--dump-dom")
    texts, found = json.loads(re.search(r"\[\d+,\[.*?\]\]", document)[0])
    assert texts > 50
    assert found == []


def test_text_that_is_cut_would_be_seen(page):
    (page.parent / "cut").mkdir()
    cut = page.parent / "cut" / "page.html"
    cut.write_text(page.read_text(encoding="utf-8").replace('viewBox="0 ', 'viewBox="40 '), encoding="utf-8")
    ruler = cut.with_name("ruler.html")
    ruler.write_text(MEASURE.replace("WIDE", "768"), encoding="utf-8")
    _, _, document = browse(ruler, "--allow-file-access-from-files", "--dump-dom")
    assert json.loads(re.search(r"\[\d+,\[.*?\]\]", document)[0])[1]


def test_paper_is_a4(page):
    paper = page.with_suffix(".pdf")
    browse(page, "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    boxes = re.findall(rb"/MediaBox \[([\d. ]+)\]", paper.read_bytes())
    assert len(boxes) >= 2
    for box in boxes:
        left, bottom, right, top = (float(number) for number in box.split())
        assert (left, bottom) == (0, 0)
        assert right == pytest.approx(210 / 25.4 * 72, abs=1)
        assert top == pytest.approx(297 / 25.4 * 72, abs=1)
