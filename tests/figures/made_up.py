"""An exporter without a browser, and hostile sentences for a file."""

from io import BytesIO

from PIL import Image
from pypdf import PdfWriter

from figures.rendering.exporter import Exporter, ExportError
from figures.rendering.job import Files, Job

HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> ../../etc/passwd ]]> & \""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>'


def dots(width: int = 8, height: int = 4) -> bytes:
    """Return a PNG of one colour."""
    written = BytesIO()
    Image.new("RGB", (width, height)).save(written, "png")
    return written.getvalue()


def page() -> bytes:
    """Return a PDF of one empty page."""
    writer, written = PdfWriter(), BytesIO()
    writer.add_blank_page(8, 4)
    writer.write(written)
    return written.getvalue()


class MadeUp(Exporter):
    """An exporter that returns the same small files for every job, and refuses the formats in `refused`."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []
        self.refused: set[str] = set()
        self.undrawn = ""

    def files(self, job: Job) -> Files:
        self.jobs.append(job)
        if self.refused & set(job.formats):
            raise ExportError("No Chromium here: install it.")
        contents = {"svg": SVG, "svg-outlines": SVG, "png": dots(), "pdf": page(), "set-html": b"<p>set</p>"}
        made = Files({wanted: contents[wanted] for wanted in job.formats})
        made.undrawn = self.undrawn
        return made
