"""Without a background, no plate stays behind a picture or its cells."""

from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from figures.export_pictures import ExportPicture, export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import SLIDE
from figures.rendering.exporter import Exporter
from figures.rendering.frame import SVG
from tests.figures.test_drawings import drawn, one_of
from tests.figures.test_legible import EVERY, LINKS
from viz.theme import DARK, LIGHT, Theme

MOST = 0.05
"""Largest share of a picture that is opaque and as light or dark as its paper."""

OPAQUE, NEAR = 0.98, 12
"""Opacity from which a pixel hides the slide below it, and channels by which it differs from paper."""

LONG = pytest.mark.long("a view whose pictures may keep a plate")
CASES = [pytest.param(link, DARK, marks=[] if at % EVERY == 7 else LONG) for at, link in enumerate(LINKS)]
CASES += [pytest.param("/heads?view=reshape", theme) for theme in (LIGHT, DARK)]


def plate(png: bytes, theme: Theme) -> float:
    """Return the share of pixels that are opaque and nearly in the colour of the paper."""
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGBA")).astype(int)
    paper = list(bytes.fromhex(theme.paper.removeprefix("#")))
    is_near = np.abs(pixels[..., :3] - paper).max(-1) <= NEAR
    return float((is_near & (pixels[..., 3] > 255 * OPAQUE)).mean())


@pytest.mark.long("plates of several views; the option itself is tested in every run")
@pytest.mark.parametrize(("link", "theme"), CASES)
def test_a_view_without_a_background_has_no_plate(link: str, theme: Theme, exporter: Exporter) -> None:
    style = Style(preset=SLIDE, theme=theme, transparent=True)
    shares = {
        one.key: plate(exporter.files(job(one, style, ("png",), 1))["png"], theme)
        for one in export_pictures(link, SLIDE, theme)
    }
    assert {key: share for key, share in shares.items() if share > MOST} == {}


def test_a_plate_is_found() -> None:
    half = Image.new("RGBA", (10, 10))
    half.paste((255, 255, 250, 255), (0, 0, 10, 5))
    written = BytesIO()
    half.save(written, "png")
    assert plate(written.getvalue(), LIGHT) == 0.5
    assert plate(written.getvalue(), DARK) == 0


@pytest.mark.parametrize("theme", [DARK])
def test_on_its_paper_a_cell_of_a_drawing_looks_unchanged(theme: Theme, exporter: Exporter) -> None:
    export_picture = one_of("/heads?view=reshape&text=hot+tea", "reshape", theme=theme)

    opaque, clear = (
        list(filled(exporter, export_picture, Style(theme=theme, transparent=transparent)))
        for transparent in (False, True)
    )

    assert {opacity for _, opacity in opaque} == {1}
    assert min(opacity for _, opacity in clear) < 0.2
    paper = np.array(list(bytes.fromhex(theme.paper.removeprefix("#"))))
    for (meant, _), (colour, opacity) in zip(opaque, clear, strict=True):
        assert opacity * colour + (1 - opacity) * paper == pytest.approx(meant, abs=2)


def filled(
    exporter: Exporter, export_picture: ExportPicture, style: Style
) -> Iterator[tuple[np.ndarray, float]]:
    """Yield colour and opacity of each filled rectangle."""
    for one in drawn(exporter, export_picture, style).iter(f"{{{SVG}}}rect"):
        if (fill := one.get("fill", "none")) != "none":
            yield np.array(list(bytes.fromhex(fill.removeprefix("#")))), float(one.get("fill-opacity", 1))
