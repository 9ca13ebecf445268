"""Jobs and files arrive in another process unchanged, and its end is noticed."""

import os

import numpy as np
import pytest

from figures.rendering import job as pipe
from figures.rendering.channel import Channel
from figures.rendering.job import Files, Plot, Script
from tests.figures.sheets import job, plot


@pytest.fixture
def ends() -> tuple[Channel, Channel]:
    (theirs, to_them), (ours, to_us) = os.pipe(), os.pipe()
    here, there = (
        (os.fdopen(ours, "rb"), os.fdopen(to_them, "wb")),
        (os.fdopen(theirs, "rb"), os.fdopen(to_us, "wb")),
    )
    return Channel(*here), Channel(*there)


@pytest.mark.parametrize(
    "drawn", [plot(scale=1.5), Script(script="a", style="b", data={}, width=1, height=2)]
)
def test_a_job_arrives_as_it_was(drawn: Plot | Script, ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    sent = job("svg", "png", drawn=drawn, scale=4)
    pipe.send_job(here, sent)
    pipe.send_job(here, job("pdf"))
    here.close()
    assert pipe.receive_job(there) == sent
    assert pipe.receive_job(there) == job("pdf")
    with pytest.raises(EOFError):
        pipe.receive_job(there)


def test_arrays_arrive_as_lists(ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    pipe.send_job(here, job("svg", drawn=plot(figure={"data": [{"z": np.array([[1.0, 2.0]])}]})))
    assert pipe.receive_job(there).drawn.figure["data"][0]["z"] == [[1.0, 2.0]]  # type: ignore[union-attr]


def test_files_arrive_with_the_characters_without_a_font(ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    files = Files(svg=b"<svg/>", png=b"")
    files.undrawn = "\u65e5"
    pipe.send_files(there, files)
    arrived = pipe.receive_files(here)
    assert arrived == {"svg": b"<svg/>", "png": b""}
    assert arrived.undrawn == "\u65e5"


@pytest.mark.parametrize("sent", [[], [b'{"formats": ["svg"], "undrawn": ""}']])
def test_a_process_that_ends_early_is_noticed(sent: list[bytes], ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    for message in sent:
        there.send_bytes(message)
    there.close()
    with pytest.raises(EOFError):
        pipe.receive_files(here)


def test_a_channel_waits_no_longer_than_its_timeout(ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    assert not here.poll(0.01)
    there.send_bytes(b"a")
    assert here.poll(60)
    assert here.recv_bytes() == b"a"
    there.close()
    assert here.poll(60), "an end is something to receive"
    for _ in range(2):
        with pytest.raises(EOFError):
            here.recv_bytes()
    with pytest.raises(OSError, match="closed"):
        there.send_bytes(b"b")
