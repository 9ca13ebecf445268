"""A presentation without a slide: as wide as screens are, in the colours of a theme."""

import re
from xml.sax.saxutils import quoteattr

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation as Document
from pptx.util import Emu

from figures.slides.slide import HEIGHT, WIDTH
from viz.theme import Theme

PIXEL = 9525
"""What a pixel is in the units of PowerPoint, of which an inch has 914,400."""

TYPEFACE = "Arial"
"""Source Sans is on few machines; this one, or one of its widths, is on most."""

TITLE_SLIDE, TITLE_ONLY, BLANK = "Title Slide", "Title Only", "Blank"
KEPT = (TITLE_SLIDE, TITLE_ONLY, BLANK)
"""The layouts that are of use; python-pptx brings eleven."""


def empty(theme: Theme) -> Document:
    """A presentation without a slide, 13⅓ × 7½ inches large."""
    document = Presentation()
    wider = WIDTH * PIXEL / document.slide_width
    document.slide_width, document.slide_height = Emu(WIDTH * PIXEL), Emu(HEIGHT * PIXEL)
    for layout in list(document.slide_layouts):
        if layout.name not in KEPT:
            document.slide_layouts.remove(layout)
    for sheet in (document.slide_master, *document.slide_layouts):
        for shape in sheet.shapes:
            if shape._element.xpath("./p:spPr/a:xfrm"):  # else it stands where that of the master does
                shape.left, shape.width = Emu(round(shape.left * wider)), Emu(round(shape.width * wider))
    _dress(document, theme)
    _drop_thumbnail(document)
    return document


def _dress(document: Document, theme: Theme) -> None:
    """Have the presentation's own theme name our colours and typeface: what is written later has them too."""
    part = document.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    xml = part.blob.decode("utf-8")
    colours = {
        "dk1": theme.ink,
        "lt1": theme.paper,
        "dk2": theme.muted,
        "lt2": theme.line,
        "accent1": theme.query,
        "accent2": theme.key,
        "accent3": theme.value,
        "accent4": theme.output,
        "accent5": theme.primary,
        "accent6": theme.muted,
        "hlink": theme.primary,
        "folHlink": theme.output,
    }
    for name, colour in colours.items():
        said = f"<a:{name}><a:srgbClr val={quoteattr(colour.removeprefix('#'))}/></a:{name}>"
        xml = re.sub(rf"<a:{name}>.*?</a:{name}>", said, xml, count=1, flags=re.DOTALL)
    part._blob = re.sub(r'(<a:latin typeface=)"Calibri"', rf"\1{quoteattr(TYPEFACE)}", xml).encode("utf-8")


def _drop_thumbnail(document: Document) -> None:
    """Without the small picture of another presentation, which file managers would show."""
    package = document.part.package
    for name, relation in list(package._rels.items()):
        if relation.reltype.endswith("/thumbnail"):
            package._rels.pop(name)
