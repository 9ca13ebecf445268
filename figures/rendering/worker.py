"""The process that draws: it takes jobs, one after the other, and returns files.

A separate process keeps a browser running and does not block the interpreter that answers visitors. It has a
lower priority. It ends if its connection is closed, or after some minutes without a job.
"""

import logging
import os
import sys
import traceback
from contextlib import suppress
from dataclasses import replace

from figures.rendering import fonts, formulas, marks, outlines
from figures.rendering.browser import Drawing, launched
from figures.rendering.channel import Channel
from figures.rendering.frame import above, below, drawn_size, framed
from figures.rendering.job import FORMULA, IN_TEXT, Files, Job, Paper, Plot, Script, receive_job, send_files

IDLE = 300
"""Seconds without a job until the process ends and its memory is free."""

MOST_JOBS = 1000
"""Jobs until the process is replaced, because the browser leaks some memory with each."""

NICE = 5
"""Niceness of the process: on a busy core another process gets three times as much time.

With 10 it would get nine times as much, and on a busy machine a picture could exceed its limit."""

INCH = 96
"""Pixels of an inch."""


def files(drawing: Drawing, job: Job) -> Files:
    """Return a file of each format wanted."""
    if isinstance(job.drawn, Paper):
        return _printed(drawing, job.drawn, job)
    figure, frame = drawing.svg(job.drawn), job.frame
    size = _size(job.drawn, figure)
    if not frame.height:
        frame = replace(frame, height=round(above(frame) + size[1] + below(frame), 2))
    svg = framed(figure, size, frame, job.provenance)
    made = Files()
    made.undrawn = drawing.undrawn(fonts.unsupported_characters(svg))
    for wanted in job.formats:
        if wanted == "svg":
            made[wanted] = svg.encode()
        elif wanted == "png":
            dots = drawing.png(svg, frame.width, frame.height, job.scale)
            made[wanted] = marks.in_png(dots, job.provenance, INCH * job.scale)
        elif wanted == "svg-outlines":
            made[wanted] = outlines.outlined(svg, drawing.letters(svg)).encode()
        else:
            size = frame.width, frame.height
            made[wanted] = marks.in_pdf(drawing.pdf(svg, *size), job.provenance, size)
    return made


def _printed(drawing: Drawing, paper: Paper, job: Job) -> Files:
    """Return a page of HTML as PDF or PNG, without provenance, because it becomes a part of a document."""
    html = paper.html.replace(FORMULA, drawing.typeset(paper.formula) if paper.formula else "")
    for latex, is_apart in paper.in_text:
        html = html.replace(IN_TEXT, drawing.typeset(latex, is_apart=is_apart, is_strict=False), 1)
    style = f"<style>{fonts.rules(paper.style + html)}{formulas.style()}{paper.style}</style>"
    size, made = (job.frame.width, job.frame.height), Files()
    for wanted in job.formats:
        if wanted == "set-html":
            made[wanted] = html.encode()
            continue
        is_dots = wanted == "png"
        made[wanted] = (
            drawing.png(style + html, *size, job.scale) if is_dots else drawing.pdf(style + html, *size)
        )
    made.undrawn = drawing.undrawn(fonts.unsupported_characters(paper.html))
    return made


def _size(drawn: Plot | Script, figure: str) -> tuple[float, float]:
    """Return the size of a figure on its sheet in pixels; the SVG of a script has its size."""
    if isinstance(drawn, Plot):
        return drawn.width * drawn.scale, drawn.height * drawn.scale
    width, height = drawn_size(figure)
    scale = min(drawn.width / width, drawn.height / height)
    return width * scale, height * scale


def connected() -> Channel:
    """Return the connection over standard input and output, and redirect prints of libraries to the log."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return Channel(source, target)


def main(path: str) -> None:
    """Draw the jobs that arrive, with the browser at `path`."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    client = connected()
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of how Chromium numbers objects
    with suppress(EOFError, ConnectionError), launched(path) as drawing:
        send_files(client, Files())
        for _ in range(MOST_JOBS):
            if not client.poll(IDLE):
                return
            job, made = receive_job(client), Files()
            try:
                made = files(drawing, job)
            except Exception:  # after any error the next figure can be drawn
                traceback.print_exc()
            send_files(client, made)


if __name__ == "__main__":
    main(*sys.argv[1:])
