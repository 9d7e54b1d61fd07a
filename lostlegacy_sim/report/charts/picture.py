"""Picture: a chart as a file of its own, SVG or PNG, or as an element of a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from lostlegacy_sim.letters import harmless, harmless_lines
from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart

DOTS = 200  # per inch of a PNG
FAMILY = "'DejaVu Sans', Verdana, sans-serif"  # letters of about the widths the sheet was laid out for
SVG = "http://www.w3.org/2000/svg"
LINKED = "{http://www.w3.org/1999/xlink}href"


def to_png(chart: Chart) -> bytes:
    """The chart with its title, on white."""
    with canvas.style():
        figure = figure_of(chart)
        add_title(figure, chart)
        data = BytesIO()
        figure.savefig(data, format="png", dpi=DOTS, metadata={"Title": harmless(chart.title), "Description": harmless(chart.description)})
    return data.getvalue()


def to_svg(chart: Chart) -> str:
    """The chart with its title as an SVG file, on white."""
    root = drawn(chart, titled=True)
    root.set("xmlns", SVG)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def to_page(chart: Chart) -> str:
    """The chart as an element of a page: without title and background, in the colours of the page."""
    root = drawn(chart, titled=False)
    text = ElementTree.tostring(root, encoding="unicode")
    for colour, role in canvas.ROLES.items():
        text = text.replace(colour, f"var({role})")
    return text


def figure_of(chart: Chart) -> Figure:
    """The drawing; no text in it that others have written turns the writing round, is unseen, or is no XML."""
    figure = chart.draw()
    for text in figure.findobj(Text):
        text.set_text(harmless_lines(text.get_text()))
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if isinstance(labels := axis.get_major_formatter(), FuncFormatter):  # it writes the labels of the ticks anew
            labels.func = tamed(labels.func)
    return figure


def tamed(label_of: Callable[..., str]) -> Callable[..., str]:
    """The same labels, harmless."""
    return lambda *place: harmless_lines(label_of(*place))


def add_title(figure: Figure, chart: Chart) -> None:
    """Write the title, and below it what the chart is about, into their band; what is long is made smaller."""
    lines: list[tuple[str, float, float, dict[str, Any]]] = [
        (harmless(chart.title), 0.08, 13.0, {"fontweight": "bold"}),
        (harmless(chart.context), 0.33, 8.5, {"color": canvas.MUTED}),
    ]
    for text, top, size, look in lines:
        fits = min(1.0, (canvas.WIDTH - 0.4) / max(1.0, canvas.inches(figure, [text], size)))
        figure.text(0.05 / canvas.WIDTH, 1 - top / figure.get_figheight(), text, va="top", fontsize=size * fits, **look)


def drawn(chart: Chart, titled: bool) -> ElementTree.Element:
    """The drawing as an <svg> element with title and description, without names of its own that could clash on a page."""
    with canvas.style(), matplotlib.rc_context({"svg.hashsalt": chart.name}):
        figure = figure_of(chart)
        if titled:
            add_title(figure, chart)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=not titled, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    root = ElementTree.fromstring(text.getvalue())
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
    tidy(root, chart.name)
    left, top, width, height = (float(number) for number in root.get("viewBox", "").split())
    band = 0.0 if titled else canvas.TITLE * canvas.POINTS
    root.set("viewBox", f"{left:g} {top + band:g} {width:g} {height - band:g}")
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    if titled:
        root.set("width", f"{width:g}pt")
        root.set("height", f"{height:g}pt")
    describe(root, chart)
    return root


def tidy(root: ElementTree.Element, name: str) -> None:
    """Drop metadata, the style sheet and all ids nobody refers to; let the others begin with the chart's name."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in ("metadata", "style") or child.tag.endswith("}metadata"):
                parent.remove(child)
    text = ElementTree.tostring(root, encoding="unicode")
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    for element in root.iter():
        if (found := element.get("id")) is not None:
            if found in used:
                element.set("id", f"{name}-{found}")
            else:
                del element.attrib["id"]
        if (target := element.attrib.pop(LINKED, None)) is not None:
            element.set("href", f"#{name}-{target[1:]}")
        for attribute, value in element.items():
            if "url(#" in value:
                element.set(attribute, value.replace("url(#", f"url(#{name}-"))
        if element.tag == "text":
            element.set("style", element.get("style", "").replace("'DejaVu Sans'", FAMILY))
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")


def describe(root: ElementTree.Element, chart: Chart) -> None:
    """Give the drawing its title and description, for those who cannot see it."""
    title, description = ElementTree.Element("title"), ElementTree.Element("desc")
    title.text, description.text = harmless(chart.title), harmless(chart.description)
    title.set("id", f"{chart.name}-title")
    description.set("id", f"{chart.name}-desc")
    root.insert(0, title)
    root.insert(1, description)
    root.set("role", "img")
    root.set("aria-labelledby", f"{chart.name}-title {chart.name}-desc")
