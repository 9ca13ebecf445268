"""Texts of Markdown as HTML: paragraphs, lists, emphasis, and formulas, which KaTeX sets in place."""

import re
from collections.abc import Iterator

from figures.plain import rich_html
from figures.rendering.job import IN_TEXT, Paper

ITEM = re.compile(r"\s{0,3}(?:[-*+]|(\d{1,3})[.)])\s+(.*)")
HEADING = re.compile(r"#{1,6}\s+(.*)")

FORMULA = re.compile(
    r"(?P<other>\\.|`[^`\n]*`)|\$\$(?P<display>[^$]+)\$\$|\$(?=\S)(?P<line>(?:\\.|[^$\\\n])+?)(?<=\S)\$",
    re.DOTALL,
)
"""A formula between dollars, or an escape or code, where a dollar begins no formula."""

PLACE = re.compile("\x04(\\d+)\x04")
"""The place of a formula, by its number; no text of a lecture has this sign."""


def has_formula(markdown: str) -> bool:
    """Return whether a text has a formula between dollars."""
    return any(not found["other"] for found in FORMULA.finditer(markdown))


def set_text(markdown: str) -> Paper:
    """Return a text as a page of HTML with its formulas in place."""
    formulas: list[tuple[str, bool]] = []

    def place(found: re.Match[str]) -> str:
        if other := found["other"]:
            return other.replace("$", r"\$") if other.startswith("`") else other
        latex = (found["display"] or found["line"]).strip()
        formulas.append((latex, bool(found["display"])))
        mark = f"\x04{len(formulas) - 1}\x04"
        return f"\n{mark}\n" if found["display"] else mark

    html = "".join(blocks(FORMULA.sub(place, PLACE.sub("", markdown))))
    order = [int(number) for number in PLACE.findall(html)]
    return Paper(html=PLACE.sub(IN_TEXT, html), style="", in_text=tuple(formulas[one] for one in order))


def blocks(markdown: str) -> Iterator[str]:
    """Yield paragraphs, headings and lists as HTML; inside them only emphasis is markup."""
    kind, number = "", ""
    for line in markdown.splitlines():
        item = ITEM.match(line)
        is_item = "ol" if item and item[1] else "ul" if item else ""
        if kind and kind != is_item:
            yield f"</{kind}>"
        if is_item and kind != is_item:
            number = f' start="{int(item[1])}"' if item and item[1] else ""
            yield f"<{is_item}{number}>"
        kind = is_item
        if item:
            yield f"<li>{rich_html(item[2])}</li>"
        elif heading := HEADING.match(line):
            yield f"<h3>{rich_html(heading[1])}</h3>"
        elif line.strip():
            yield f"<p>{rich_html(line.strip())}</p>"
    if kind:
        yield f"</{kind}>"
