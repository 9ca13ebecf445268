"""What a presentation remembers: whole in a part of its own, and where a system shows it."""

from collections.abc import Mapping
from xml.etree import ElementTree

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation as Document

from figures.rendering.frame import OURS
from figures.rendering.marks import IN_PPTX, SOFTWARE

SHOWN = {"title": "title", "comments": "description", "keywords": "link", "version": "version"}
"""The properties of a document that show what it remembers."""

LONGEST = 255
"""Characters of a property of a document; a link may have more."""


def remember(document: Document, remembered: Mapping[str, str]) -> None:
    """Write it. No text may have characters that XML has none of."""
    core, package = document.core_properties, document.part.package
    core.author = core.last_modified_by = SOFTWARE
    core.category, core.revision = "Attention Lab: figure", 1
    for shown, name in SHOWN.items():
        text = remembered.get(name, "")
        setattr(core, shown, text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    root = ElementTree.Element(f"{{{OURS}}}figure")
    for name, value in remembered.items():
        ElementTree.SubElement(root, f"{{{OURS}}}{name}").text = value
    written = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    part = Part(PackURI(f"/{IN_PPTX}"), CONTENT_TYPE.XML, package, written)
    document.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)
