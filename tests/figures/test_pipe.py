"""Jobs and files arrive in another process as they were sent, and an end of it is noticed."""

from multiprocessing import Pipe
from multiprocessing.connection import Connection

import numpy as np
import pytest

from figures.rendering import job as pipe
from figures.rendering.job import Files, Plot, Script
from tests.figures.sheets import job, plot


@pytest.fixture
def ends() -> tuple[Connection, Connection]:
    return Pipe()


@pytest.mark.parametrize(
    "drawn", [plot(scale=1.5), Script(script="a", style="b", data={}, width=1, height=2)]
)
def test_a_job_arrives_as_it_was(drawn: Plot | Script, ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    sent = job("svg", "png", drawn=drawn, scale=4)
    pipe.give_job(here, sent)
    pipe.give_job(here, job("pdf"))
    here.close()
    assert pipe.take_job(there) == sent
    assert pipe.take_job(there) == job("pdf")
    with pytest.raises(EOFError):
        pipe.take_job(there)


def test_arrays_arrive_as_lists(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    pipe.give_job(here, job("svg", drawn=plot(figure={"data": [{"z": np.array([[1.0, 2.0]])}]})))
    assert pipe.take_job(there).drawn.figure["data"][0]["z"] == [[1.0, 2.0]]  # type: ignore[union-attr]


def test_files_arrive_with_what_no_font_has(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    files = Files(svg=b"<svg/>", png=b"")
    files.undrawn = "\u65e5"
    pipe.give(there, files)
    arrived = pipe.take(here)
    assert arrived == {"svg": b"<svg/>", "png": b""}
    assert arrived.undrawn == "\u65e5"


@pytest.mark.parametrize("sent", [[], [b'{"formats": ["svg"], "undrawn": ""}']])
def test_a_process_that_ends_early_is_noticed(sent: list[bytes], ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    for message in sent:
        there.send_bytes(message)
    there.close()
    with pytest.raises(EOFError):
        pipe.take(here)
