"""Reads a page the strict way: what is opened is closed, what is named once is named once."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}
OUTSIDE = ("src", "srcset", "data", "action", "poster", "background", "ping", "xlink:href")


class PageReader(HTMLParser):
    """Elements, texts, headings, tables and whatever a page would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []  # of links inside the page
        self.fetched: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.tables: list[list[list[str]]] = []
        self.cells_without_scope = 0
        self.captions = 0
        self.scripts: list[tuple[str, str]] = []  # type, text
        self.styles = ""
        self.text = ""
        self.counted: dict[str, int] = {}
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.counted[tag] = self.counted.get(tag, 0) + 1
        known = dict(attrs)
        if len(known) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        if "id" in known:
            self.ids.append(known["id"])
        for name, value in attrs:
            if name in OUTSIDE:
                self.fetched.append(f"{name}={value}")
            if name.startswith("on"):
                self.faults.append(f"<{tag}> has a handler {name}")
            if name == "href":
                if (value or "").startswith("#"):
                    self.targets.append(value[1:])
                elif value != "data:,":
                    self.fetched.append(f"href={value}")
            if name == "style" and "url(" in (value or "").replace("url(#", ""):
                self.fetched.append(f"style={value}")
        if tag == "script":
            self.scripts.append((known.get("type", ""), ""))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
            self.cells_without_scope += tag == "th" and known.get("scope") not in ("row", "col")
        self.captions += tag == "caption"
        if tag[0] == "h" and tag[1:].isdigit():
            self.headings.append((int(tag[1:]), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if not self.open:
            return
        if self.open[-1] == "script":
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)
            return
        if self.open[-1] == "style":
            self.styles += data
            return
        data = data.replace("\u00a0", " ")
        self.text += data
        if any(tag in ("th", "td") for tag in self.open):
            self.tables[-1][-1][-1] += data
        if self.open[-1][0] == "h" and self.open[-1][1:].isdigit():
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)
