"""A presentation without a slide: as large as a preset, in the colours of a theme."""

import re

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation as Document
from pptx.util import Emu

from figures.order import Style
from viz.theme import Theme

PIXEL = 9525
"""What a pixel is in the units of PowerPoint, of which an inch has 914,400."""

TYPEFACE = '<a:latin typeface="Source Sans 3" panose="020B0503030403020204" pitchFamily="34"'
"""The typeface of the pictures. Where it is missing a program takes a similar one, by its PANOSE number.

Titles stay text, which can be edited, searched and read aloud; as outlines they would be none.
"""

TITLE_ONLY, BLANK = KEPT = ("Title Only", "Blank")
"""The layouts that are of use; python-pptx brings eleven."""


def empty(style: Style) -> Document:
    """Return a presentation without a slide; a transparent one has no background on its master either."""
    document, preset = Presentation(), style.preset
    assert preset.height is not None, "a slide has a height"
    wider = preset.width * PIXEL / document.slide_width
    document.slide_width, document.slide_height = Emu(preset.width * PIXEL), Emu(preset.height * PIXEL)
    for layout in list(document.slide_layouts):
        if layout.name not in KEPT:
            document.slide_layouts.remove(layout)
    for sheet in (document.slide_master, *document.slide_layouts):
        for shape in sheet.shapes:
            if shape._element.xpath("./p:spPr/a:xfrm"):  # else it stands where that of the master does
                shape.left, shape.width = Emu(round(shape.left * wider)), Emu(round(shape.width * wider))
        for background in sheet._element.xpath("./p:cSld/p:bg") if style.transparent else ():
            background.getparent().remove(background)
    _dress(document, style.theme)
    relations = document.part.package._rels
    for name in [name for name, one in relations.items() if one.reltype.endswith("/thumbnail")]:
        relations.pop(name)  # the small picture of another presentation, which file managers would show
    return document


def _dress(document: Document, theme: Theme) -> None:
    """Have the presentation's own theme name our colours and typeface: what is written later has them too."""
    part = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    xml = part.blob.decode("utf-8")
    accents = (theme.query, theme.key, theme.value, theme.output, theme.primary, theme.muted)
    colours = {"dk1": theme.ink, "lt1": theme.paper, "dk2": theme.muted, "lt2": theme.line}
    colours |= {f"accent{number}": colour for number, colour in enumerate(accents, 1)}
    colours |= {"hlink": theme.primary, "folHlink": theme.output}
    for name, colour in colours.items():
        said = f'<a:{name}><a:srgbClr val="{colour.removeprefix("#")}"/></a:{name}>'
        xml = re.sub(rf"<a:{name}>.*?</a:{name}>", said, xml, count=1, flags=re.DOTALL)
    part._blob = xml.replace('<a:latin typeface="Calibri"', TYPEFACE).encode("utf-8")
