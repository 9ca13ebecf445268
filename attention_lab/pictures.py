"""Pictures for notebooks, which can be saved as files."""

from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from attention_lab.errors import LabError
from figures.export_request import ExportRequestError
from figures.notebook import NotebookPicture, bundle, content
from figures.rendering.exporter import ExportError
from viz.layout.figure import Figure


class Picture(NotebookPicture):
    """A picture from a method of `Attention`: a notebook cell that ends with it shows it."""

    def figure(self) -> Figure:
        """Return a figure of Plotly, as wide as a page of the app."""
        return self.picture.figure()

    def alt(self) -> str:
        """Describe the picture for people who cannot see it."""
        return self.picture.alt()

    def table(self) -> pd.DataFrame | None:
        """Return the numbers of the picture, as in a CSV file; None if it has no table."""
        return self.picture.data()

    def __repr__(self) -> str:
        return f"<Picture: {' · '.join((self.picture.title, *self.caption))[:120]}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return a drawing for notebooks: an image if Chromium is installed, otherwise a Plotly figure."""
        return bundle(self) | {"text/plain": repr(self)}

    def save(
        self,
        path: str | PathLike[str],
        *,
        width: str = "",
        preset: str = "",
        theme: str = "light",
        title: bool = True,
        transparent: bool = False,
        scale: int = 2,
        format: str = "",
    ) -> Path:
        """Save the picture with its title, its caption and its provenance; return the path.

        The ending of `path` says the format: svg, png, pdf, pptx, csv, html or zip; `format="svg-outlines"`
        is an SVG with its letters as outlines, for Inkscape and LibreOffice. A printed figure has a `width`
        from 40 to 400 mm, as in "77mm", "16cm", "3.03in" or "219pt", or a `preset`: slide, half, square,
        acl-column, acl or neurips. Without either the file is as large as the picture in the notebook, and a
        PPTX is a slide. `theme` is light, dark or grey. Without `title` neither the title nor the caption is
        drawn. A PNG has `scale` dots a pixel: 1, 2 or 4. Raises LabError for any other value.

            >>> run.heatmap(2, 1).save("figure.pdf", width="77mm", theme="grey")
        """
        if width and preset:
            raise LabError(f"Give a width or a preset, not both; got {width} and {preset}.")
        target = Path(path).expanduser()
        kind = (format or target.suffix.removeprefix(".")).lower()
        said = {"format": kind, "width": str(width), "theme": theme, "scale": str(scale)}
        said |= {"title": str(int(title)), "transparent": str(int(transparent))}
        try:
            made = content(self, said | ({"preset": preset} if preset else {}))
        except (ExportRequestError, ExportError) as error:
            raise LabError(str(error)) from error
        try:
            target.write_bytes(made)
        except OSError as error:
            raise LabError(f"{target} cannot be written: {error.strerror}.") from error
        return target
