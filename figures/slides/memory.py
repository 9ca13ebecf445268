"""What a presentation remembers: whole in a part of its own, and where a system shows it."""

from collections.abc import Mapping
from xml.etree import ElementTree

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation as Document

from figures.rendering.frame import OURS
from figures.rendering.marks import IN_PPTX, SOFTWARE

LONGEST = 255
"""Characters of a property of a document; a link may have more."""

CATEGORY = "Attention Lab: figure"


def remember(document: Document, remembered: Mapping[str, str]) -> None:
    """Write it. No text may have characters that XML has none of."""
    core = document.core_properties
    core.author = core.last_modified_by = SOFTWARE
    core.title = _cut(remembered.get("title", ""))
    core.comments = _cut(remembered.get("description", ""))
    core.keywords = _cut(remembered.get("link", ""))
    core.version = _cut(remembered.get("version", ""))
    core.category, core.revision = CATEGORY, 1
    root = ElementTree.Element(f"{{{OURS}}}figure")
    for name, value in remembered.items():
        ElementTree.SubElement(root, f"{{{OURS}}}{name}").text = value
    package = document.part.package
    written = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    part = Part(PackURI(f"/{IN_PPTX}"), CONTENT_TYPE.XML, package, written)
    document.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
