"""Jobs and files on their way between two processes: a message of JSON, and one of bytes for each file."""

from dataclasses import asdict
from multiprocessing.connection import Connection

import orjson

from figures.rendering.job import Files, Frame, Job, Plot, Script


class RefusedError(Exception):
    """Why no files came back, as the process that draws said it."""


def give_job(target: Connection, job: Job) -> None:
    """Send a job. Raises OSError if the other process has ended."""
    target.send_bytes(orjson.dumps(asdict(job), option=orjson.OPT_SERIALIZE_NUMPY))


def take_job(source: Connection) -> Job:
    """Return the next job. Raises EOFError if no more will come."""
    said = orjson.loads(source.recv_bytes())
    drawn, frame = said.pop("drawn"), said.pop("frame")
    frame |= {name: tuple(frame[name]) for name in ("title", "caption")}
    return Job(
        drawn=Plot(**drawn) if "figure" in drawn else Script(**drawn),
        frame=Frame(**frame),
        formats=tuple(said.pop("formats")),
        **said,
    )


def give(target: Connection, files: Files) -> None:
    """Send files back."""
    target.send_bytes(orjson.dumps({"formats": list(files), "undrawn": files.undrawn}))
    for content in files.values():
        target.send_bytes(content)


def refuse(target: Connection, why: str) -> None:
    """Send back why there are none."""
    target.send_bytes(orjson.dumps({"why": why}))


def take(source: Connection) -> Files:
    """Return the files that came back.

    Raises RefusedError if there are none, and EOFError or OSError if the other process has ended.
    """
    said = orjson.loads(source.recv_bytes())
    if "why" in said:
        raise RefusedError(said["why"])
    files = Files({name: source.recv_bytes() for name in said["formats"]})
    files.undrawn = said["undrawn"]
    return files
