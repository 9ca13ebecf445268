"""Make the small pictures of the home's gallery: the first picture of every view, in light and in dark.

python -m figures.gallery
"""

import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from PIL import Image
from tqdm import tqdm

from core.sources import UnavailableError
from figures.export import measuring_once
from figures.export_pictures import export_pictures
from figures.export_request import Style
from figures.layout import job
from figures.preset import Preset
from figures.rendering.exporter import Exporter, ExportError
from pages.contract.measurement import Measure
from pages.contract.view import every_view
from pages.home.pictures import GALLERY, file_of
from viz.theme import THEMES, Theme

SIZE = (480, 270)
"""Pixels of a small picture: twice those of its tile, for dense screens."""

TILE = Preset(
    name="tile", label="Tile", width=800, height=450, least_type=14, body_type=14, title_type=0, margin=8
)
"""The preset of a small picture: larger letters would leave too little room for the picture."""

LISTS = frozenset({"home", "exam", "lecture", "models", "glossary", "sources"})
"""Folders of pages that have only words, or pictures of other pages."""

OPENED = {"one head": {"stage": "softmax"}}
"""Views whose small picture is not the one they open with, and the changes of their link."""

WANTED = (THEMES["light"], THEMES["dark"])


class Small(NamedTuple):
    """A small picture to make: the link of its view, the name of its file, and its theme."""

    link: str
    file: str
    theme: Theme


def wanted() -> Iterator[Small]:
    """Yield all small pictures."""
    for (entry, view), theme in product(every_view(), WANTED):
        if entry.folder not in LISTS:
            query = urlencode({"view": view, **OPENED.get(view, {})})
            yield Small(f"/{entry.address}?{query}", file_of(entry.folder, view, theme.name).name, theme)


def drawn(small: Small, exporter: Exporter, measure: Measure) -> bytes | None:
    """Return a small picture as WebP; None without one. Raises UnavailableError and ExportError."""
    found = export_pictures(small.link, TILE, small.theme, measure=measure)
    if not found:
        return None
    style = Style(preset=TILE, theme=small.theme, title=False)
    dots = exporter.files(job(found[0], style, ("png",), 2))["png"]
    written = BytesIO()
    with Image.open(BytesIO(dots)) as picture:
        less = picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
        less.save(written, "webp", quality=80, method=6)
    return written.getvalue()


def main(folder: Path = GALLERY, exporter: Exporter | None = None) -> int:
    """Write all small pictures anew; return 1 if one could not be made, and keep its former file."""
    folder.mkdir(parents=True, exist_ok=True)
    failed, kept = [], set()
    measure = measuring_once()
    with closing(Exporter()) if exporter is None else nullcontext(exporter) as warm:
        for small in tqdm(list(wanted()), unit="picture", disable=None):
            file = folder / small.file
            try:
                content = drawn(small, warm, measure)
            except (UnavailableError, ExportError) as error:
                failed.append(f"{small.link}, {small.theme.name}: {error}")
                kept.add(file)
                continue
            if content is not None:
                file.write_bytes(content)
                kept.add(file)
    for former in set(folder.glob("*.webp")) - kept:
        former.unlink()
    if failed:
        print("Not made:", *failed, sep="\n  ", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
