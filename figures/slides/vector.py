"""A picture as a vector: an SVG, and dots for programs that draw none."""

from io import BytesIO
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.shapes.picture import Picture
from pptx.slide import Slide
from pptx.util import Emu

from figures.slides.empty import PIXEL
from figures.slides.slide import Box

EXTENSION = f"""<a:extLst {nsdecls("a", "r")}><a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}">
<asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="%s"/>
</a:ext></a:extLst>"""
"""What a picture in dots says of the vector that stands for it since Office 2016."""


def add_picture(slide: Slide, png: bytes, box: Box, *, name: str, alt: str) -> Picture:
    """Put dots into a box of a slide."""
    picture = slide.shapes.add_picture(BytesIO(png), *(Emu(round(one * PIXEL)) for one in box))
    picture.name = name
    picture._element._nvXxPr.cNvPr.set("descr", alt)
    return picture


def add_vector(slide: Slide, svg: bytes, png: bytes, box: Box, *, name: str, alt: str) -> None:
    """Put a vector into a box of a slide, with dots for programs that cannot draw it."""
    fill: Any = add_picture(slide, png, box, name=name, alt=alt)._element.blipFill
    package = slide.part.package
    part = Part(package.next_partname("/ppt/media/vector%d.svg"), "image/svg+xml", package, svg)
    fill.blip.append(parse_xml(EXTENSION % slide.part.relate_to(part, RELATIONSHIP_TYPE.IMAGE)))
