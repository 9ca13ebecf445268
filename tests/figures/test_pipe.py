"""Jobs and files come through a pipe as they went in, and a broken one is noticed."""

from io import BytesIO

import numpy as np
import pytest

from figures.rendering import pipe
from figures.rendering.job import Files, Script
from tests.figures.sheets import job, plot


@pytest.mark.parametrize(
    "drawn", [plot(scale=1.5), Script(script="a", style="b", data={}, width=1, height=2)]
)
def test_a_job_arrives_as_it_was(drawn: object) -> None:
    sent, through = job("svg", "png", drawn=drawn, scale=4), BytesIO()
    pipe.give_job(through, sent)
    pipe.give_job(through, job("pdf"))
    through.seek(0)
    assert pipe.take_job(through) == sent
    assert pipe.take_job(through) == job("pdf")
    assert pipe.take_job(through) is None


def test_arrays_arrive_as_lists() -> None:
    through = BytesIO()
    pipe.give_job(through, job("svg", drawn=plot(figure={"data": [{"z": np.array([[1.0, 2.0]])}]})))
    through.seek(0)
    arrived = pipe.take_job(through)
    assert arrived is not None
    assert arrived.drawn.figure["data"][0]["z"] == [[1.0, 2.0]]


def test_a_refusal_arrives_with_its_reason() -> None:
    through = BytesIO()
    pipe.refuse(through, "no room")
    through.seek(0)
    with pytest.raises(pipe.PipeError, match="no room"):
        pipe.take(through)


@pytest.mark.parametrize("kept", [0, 5, 20])
def test_a_pipe_that_ends_early_is_noticed(kept: int) -> None:
    through = BytesIO()
    pipe.give(through, Files(svg=b"<svg/>" * 10))
    with pytest.raises(pipe.PipeError, match="has ended"):
        pipe.take(BytesIO(through.getvalue()[:kept]))
