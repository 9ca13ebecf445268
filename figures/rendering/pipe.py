"""How jobs and files pass through a pipe: JSON behind its length in eight bytes."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict
from typing import IO, Any

import orjson

from figures.rendering.job import Files, Frame, Job, Plot, Script

LENGTH = 8


class PipeError(Exception):
    """Why no files came back, as the process that draws said it."""


class GoneError(PipeError):
    """The process that draws is gone."""


def give_job(target: IO[bytes], job: Job) -> None:
    """Send a job."""
    kind = "plot" if isinstance(job.drawn, Plot) else "script"
    _send(target, {**asdict(job), "kind": kind})


def take_job(source: IO[bytes]) -> Job | None:
    """The next job; None where the pipe has come to its end."""
    said = _receive(source)
    if said is None:
        return None
    drawn, frame = said.pop("drawn"), said.pop("frame")
    frame |= {name: tuple(frame[name]) for name in ("title", "caption")}
    of_kind = {"plot": Plot, "script": Script}[said.pop("kind")]
    formats = tuple(said.pop("formats"))
    return Job(drawn=of_kind(**drawn), frame=Frame(**frame), formats=formats, **said)


def give(target: IO[bytes], files: Files) -> None:
    """Send files back."""
    encoded = {name: b64encode(content).decode("ascii") for name, content in files.items()}
    _send(target, {"files": encoded, "undrawn": files.undrawn})


def refuse(target: IO[bytes], why: str) -> None:
    """Send back why there are none."""
    _send(target, {"why": why})


def take(source: IO[bytes]) -> Files:
    """Return the files that came back. Raises PipeError if there are none, GoneError if the process ended."""
    said = _receive(source)
    if said is None:
        raise GoneError("the process that draws has ended")
    if "why" in said:
        raise PipeError(said["why"])
    files = Files({name: b64decode(content) for name, content in said["files"].items()})
    files.undrawn = said["undrawn"]
    return files


def _send(target: IO[bytes], said: Mapping[str, Any]) -> None:
    written = orjson.dumps(said, option=orjson.OPT_SERIALIZE_NUMPY)
    target.write(len(written).to_bytes(LENGTH, "big") + written)
    target.flush()


def _receive(source: IO[bytes]) -> dict[str, Any] | None:
    length = _read(source, LENGTH)
    if length is None:
        return None
    written = _read(source, int.from_bytes(length, "big"))
    received: dict[str, Any] | None = None if written is None else orjson.loads(written)
    return received


def _read(source: IO[bytes], n_bytes: int) -> bytes | None:
    """Exactly so many bytes; None where the pipe ends before."""
    parts = []
    while n_bytes:
        part = source.read(n_bytes)
        if not part:
            return None
        parts.append(part)
        n_bytes -= len(part)
    return b"".join(parts)
