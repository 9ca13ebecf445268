"""Pictures of a notebook: their files, and their display in a cell."""

import atexit
import warnings
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

import orjson

from figures import export
from figures.document import IN_SCRIPTS
from figures.export_pictures import ExportPicture
from figures.export_request import ExportRequest, Style, parse_export_request
from figures.layout import job
from figures.preset import Preset, room_of
from figures.provenance import provenance
from figures.rendering import browser
from figures.rendering.exporter import Exporter, ExportError, NotingExporter
from viz.picture import Picture
from viz.theme import THEMES

SCREEN = Preset(
    name="notebook",
    label="Notebook",
    width=760,
    least_type=12,
    body_type=12,
    title_type=17,
    margin=8,
    max_height=4000,
)
"""The preset of a picture as wide as a cell of a notebook, with type as on a page of the app."""

PLOTLY_JSON = "application/vnd.plotly.v1+json"

NO_TYPEFACE = "Figures are set in the typeface that comes with Streamlit: install it with pip."


NOT_BROUGHT = "Run the notebook from its first picture, which loads the script for all of them."

HIDDEN = ("(function(){var define,module,exports;", "}).call(window)")
"""Code around Plotly's script, which hides it from the module loader of a notebook."""

DRAW = (
    'if(window.Plotly){{const place=document.getElementById("{place}");place.textContent="";'
    "const figure={figure};Plotly.newPlot(place,figure.data,figure.layout,{{displayModeBar:false}})}}"
)


@cache
def exporter() -> Exporter:
    """Return the exporter of this process; its browser ends with the process."""
    if find_spec("streamlit") is None:
        raise ExportError(NO_TYPEFACE)
    made = Exporter()
    atexit.register(made.close)
    return made


@dataclass(frozen=True, kw_only=True, eq=False)
class NotebookPicture:
    """A picture of a notebook with the items of its caption, its provenance and its sentence."""

    picture: Picture
    caption: tuple[str, ...]
    provenance_fields: Mapping[str, str]
    sentence: str

    @property
    def export_picture(self) -> ExportPicture:
        """The picture for a file."""
        title, alt = self.picture.title, self.picture.alt()
        said = provenance(title=title, description=alt, **self.provenance_fields)
        name = ("notebook", "", title)
        return ExportPicture("picture", self.picture, " · ".join(self.caption), said, name, self.sentence)


def content(shown: NotebookPicture, said: Mapping[str, str]) -> bytes:
    """Return a file of a picture for the query of `parse_export_request`.

    Raises ExportRequestError and ExportError.

    Without a width and a preset it is as large as in the notebook; a PPTX is a slide.
    """
    request = parse_export_request({"link": "/", **said})
    if not said.get("width") and not said.get("preset") and request.kind != "pptx":
        request = replace(request, style=replace(request.style, preset=SCREEN))
    noting = NotingExporter(exporter())
    made = _made(shown.export_picture, request, noting)
    if warning := export.undrawn_warning(noting.undrawn):
        warnings.warn(warning, stacklevel=3)
    return made


def _made(export_picture: ExportPicture, request: ExportRequest, exporter: Exporter) -> bytes:
    if request.kind in export.GATHERED:
        return export.combined_file([export_picture], request, exporter).content
    return export.picture_files(export_picture, [request.kind], request, exporter)[0].content


def bundle(shown: NotebookPicture) -> dict[str, Any]:
    """Return a picture by media types.

    An image needs no script and no network, and is the same after nbconvert. Without Chromium the notebook
    draws with Plotly, if it knows its media type. Other notebooks get a copy of Plotly's script once.
    """
    try:
        made = exporter().files(job(shown.export_picture, Style(preset=SCREEN), ("svg", "png"), 1))
    except ExportError:
        return _interactive(shown)
    alt, style = escape(shown.picture.alt()), "max-width:100%;height:auto"
    image = f"data:image/svg+xml;base64,{b64encode(made['svg']).decode('ascii')}"
    return {
        "text/html": f'<img src="{image}" alt="{alt}" style="{style}">',
        "image/png": b64encode(made["png"]).decode("ascii"),
    }


def _brought() -> bool:
    """Return whether an earlier picture of this process has loaded the script."""
    global _has_script
    before, _has_script = _has_script, True
    return before


_has_script = False


def _interactive(shown: NotebookPicture) -> dict[str, Any]:
    picture = shown.picture
    figure = picture.figure(room_of(SCREEN, THEMES["light"], SCREEN.usual_height)).to_dict()
    place, given = f"attention-lab-{uuid4().hex}", orjson.dumps(figure, option=orjson.OPT_SERIALIZE_NUMPY)
    title, caption = escape(picture.title), escape(" · ".join(shown.caption))
    drawn = DRAW.format(place=place, figure=given.decode().translate(IN_SCRIPTS))
    script = (
        "" if _brought() else f"<script>{HIDDEN[0]}{browser.PLOTLY.read_text('utf-8')}{HIDDEN[1]}</script>"
    )
    return {
        PLOTLY_JSON: orjson.loads(given),
        "text/html": (
            f'<figure style="margin:0"><b>{title}</b><div id="{place}" role="img" '
            f'aria-label="{escape(picture.alt())}">{NOT_BROUGHT}</div><small>{caption}</small></figure>'
            f"{script}<script>{drawn}</script>"
        ),
    }
