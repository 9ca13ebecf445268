"""One model goes on with a text: what the page says of it, how a text stops, and what a link shows."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core.decoding import Sampling
from core.live import generation_queue
from core.live.generation_queue import BUSY, GenerationProgress, GenerationQueue, TooManyTextsError
from core.measures.generation.continuation import (
    CANNOT,
    BeamHypothesis,
    Continuation,
    GeneratedToken,
    GenerationConfig,
    generate_all,
)
from core.sources import load
from pages.contract.prose import JOINER, bold, literal
from pages.contract.sampling import DRAWN, drawn_from
from pages.generation import one_model as view
from pages.generation.one_model import choices, describe_choice, describe_status, in_turn, moment, so_far
from tests.core.live.plans import wait_for
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session, readable
from tests.real import NAME, SOURCE, bert_folder, gpt2_folder, needs_smollm2, one_model

PAGE, VIEW = "generation", "one model"
TEXT = "I don't think the other cats saw the cat."

ONE = GeneratedToken(4, (7, 4), (0.75, 0.25))


def text_of(n: int, *, is_whole: bool = False) -> Continuation:
    return Continuation(chosen=(ONE,) * n, is_whole=is_whole)


@pytest.fixture
def gpt2(no_real_model: Path) -> None:
    gpt2_folder(no_real_model / NAME, trained_on=TEXT)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[GenerationQueue]:
    made = GenerationQueue()
    monkeypatch.setattr(view, "DESK", made)
    yield made
    made.close()


def opened(**parameters: Any) -> Asked:
    return Asked(PAGE, view=VIEW, model="real", real=NAME, **({"text": TEXT} | parameters))


@pytest.mark.usefixtures("gpt2")
@each("way", ["greedy", "sampled"])
def test_a_link_shows_the_whole_text_with_the_distribution_of_each_piece(way: str) -> None:
    session = opened(way=way, most=4, stops=False, step=2)
    one = one_model(SOURCE)
    loaded = load(SOURCE, one.config, one.split(TEXT).texts, 0)
    found = generate_all(loaded, GenerationConfig(strategy=way, max_new_tokens=4, stop_at_sentence_end=False))  # type: ignore[arg-type]
    table = session.table("written")
    assert table["probability"].to_list() == pytest.approx([piece.probability for piece in found.chosen])
    rows = session.table("chosen_from")
    assert rows["answer"].to_list().index(True) == found.chosen[1].tokens.index(found.tokens[1])
    assert ("after" in rows and rows["after"].to_list() != rows["before"].to_list()) == (way == "sampled")
    assert "The text has reached the limit of 4 tokens." in session.prose
    assert "As token 2 the model writes" in session.sheet.headline


@pytest.mark.usefixtures("gpt2")
def test_a_beam_shows_its_beginnings() -> None:
    session = opened(way="beam", beam=3, most=3, stops=False)
    assert session.sheet.headline.startswith("The likeliest of 3 beginnings is *")
    assert "The longest beginning " in session.prose
    assert readable(session.prose).count("\n| ") >= 4


@pytest.mark.usefixtures("gpt2", "desk")
def test_a_text_is_written_on_the_page_can_be_stopped_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    let = [0]

    def go_on(*asked: Any) -> Iterator[Continuation]:
        for at in range(1, 6):
            wait_for(lambda at=at: let[0] >= at)  # type: ignore[misc]
            yield text_of(at, is_whole=at == 5)

    monkeypatch.setattr(generation_queue, "SOON", 0.0)
    monkeypatch.setattr(view, "generate", go_on)
    session = Session(PAGE, view=VIEW, model="real", real=NAME, text=TEXT, most=48)
    assert "The model is writing: 0 of at most 26 tokens." in session.prose
    let[0] = 2
    wait_for(lambda: "The model is writing: 2 of" in (session.run(), session.prose)[1])
    session.press("Stop")
    assert "The text was stopped: 2 of at most" in session.prose
    assert session.has("step")
    let[0] = 5
    session.press("Go on")
    wait_for(lambda: "It ended" in (session.run(), session.prose)[1] or "The text ended" in session.prose)
    assert not session.has("stop")


def test_a_text_for_which_there_is_no_room_says_so(
    monkeypatch: pytest.MonkeyPatch, desk: GenerationQueue
) -> None:
    def refuse(*asked: object) -> GenerationProgress:
        raise TooManyTextsError(BUSY.format(8))

    monkeypatch.setattr(desk, "poll", refuse)
    session = Session(PAGE, view=VIEW)
    assert "8 other texts are being written on this server" in session.prose


@each(
    ("now", "said"),
    [
        (GenerationProgress(text_of(2)), "The model is writing: 2 of at most 4 tokens."),
        (GenerationProgress(text_of(2), "stopped"), "The text was stopped: 2 of at most 4 tokens."),
        (GenerationProgress(text_of(2), "whole"), "The text ended after 2 tokens."),
        (GenerationProgress(text_of(1), "whole"), "The text ended after 1 token."),
        (GenerationProgress(text_of(4), "whole"), "The text has reached the limit of 4 tokens."),
        (
            GenerationProgress(
                Continuation(
                    beginnings=(BeamHypothesis((1,), -1.0, True), BeamHypothesis((1, 2, 3), -2.0, True))
                ),
                "whole",
            ),
            "The longest beginning ended after 3 tokens.",
        ),
        (GenerationProgress(text_of(2), "failed", "*It* failed."), str(literal("*It* failed."))),
    ],
)
def test_the_progress_of_a_text_is_shown(now: GenerationProgress, said: str) -> None:
    assert describe_status(now, 4, "token") == said


def test_a_text_says_why_it_takes_its_time_only_while_it_is_written() -> None:
    (said,) = in_turn(GenerationProgress(text_of(1)), "token")
    assert "one token at a time" in str(said)
    assert [
        in_turn(GenerationProgress(text_of(1), state), "token") for state in ("whole", "stopped", "failed")
    ] == [()] * 3


def test_a_file_says_when_it_was_drawn_of_a_text_that_was_not_whole() -> None:
    assert moment(GenerationProgress(text_of(3))) == "after 3 steps"
    assert moment(GenerationProgress(text_of(1), "stopped")) == "after 1 step"
    assert moment(GenerationProgress(text_of(3), "whole")) == ""


def test_of_a_drawn_piece_both_probabilities_are_listed() -> None:
    drawn = choices(GeneratedToken(4, (7, 4), (0.75, 0.25), (0.6, 0.4)), ["a", "b"])
    assert drawn["after"].to_list() == [0.6, 0.4]
    assert choices(ONE, ["a", "b"])["after"].to_list() == [0.75, 0.25]
    assert drawn["answer"].to_list() == [False, True]


PIECES = {1: " a", 2: "bc", 3: "*", 4: "\n\n", 5: " d"}


@each(
    ("tokens", "at", "ahead", "said"),
    [
        ((1, 2, 5), 0, True, "given **a** :gray[bc d]"),
        ((1, 2, 5), 0, False, "given **a**"),
        ((1, 2, 5), 1, True, "given a**bc** :gray[d]"),
        ((1, 4, 5), 2, True, "given a ⏎ ⏎  **d**"),
    ],
)
def test_the_text_so_far_has_the_chosen_piece_in_bold(
    tokens: tuple[int, ...], at: int, ahead: bool, said: str
) -> None:
    shown = partial(lambda tokens: "".join(PIECES[token] for token in tokens))
    found = so_far("given", shown, tokens, at, ahead=ahead)
    assert " ".join(found.replace(JOINER, "").split()) == " ".join(said.replace(JOINER, "").split())


def test_text_of_a_model_is_never_markup() -> None:
    shown = partial(lambda tokens: "".join(PIECES[token] for token in tokens))
    assert bold(literal("*")) in so_far("given", shown, (1, 3), 1, ahead=True)


@each("sign", ["?", "*"])
def test_a_sign_that_is_written_beside_a_letter_is_bold(sign: str) -> None:
    said = so_far("is it", lambda tokens: sign * len(tokens), (0, 0), 0, ahead=False)  # type: ignore[arg-type]
    before, inside, after = said.split("**")
    assert (before, after) == ("is it", "")
    assert (inside[0], inside[-1]) == (JOINER, JOINER), "no sign touches the asterisks, so they are markup"


@pytest.mark.long("SmolLM2 itself")
@needs_smollm2
def test_smollm2_continues_a_story() -> None:
    session = Asked(PAGE, view=VIEW, model="real", text="Once upon a time there was a little", most=1)
    assert "␣girl" in readable(session.sheet.headline)


def test_a_model_that_fills_in_pieces_is_refused_with_a_sentence(no_real_model: Path) -> None:
    bert_folder(no_real_model / NAME, predicts=True)
    session = Session(PAGE, view=VIEW, model="real", real=NAME, text="the cat")
    assert session.infos == [CANNOT]
    assert session.warnings == []


def bars(before: tuple[float, float], after: tuple[float, float]) -> pd.DataFrame:
    return pd.DataFrame({"word": ["was", "is"], "before": before, "after": after})


@each(
    ("temperature", "after", "said"),
    [
        (0.5, (16 / 17, 1 / 17), "they differ by 2.77, so *was* is 16 times as likely to be drawn. Below 1"),
        (2, (2 / 3, 1 / 3), "they differ by 0.69, so *was* is 2 times as likely to be drawn. Above 1"),
        (1, (0.8, 0.2), "At 1 it changes nothing."),
    ],
)
def test_a_temperature_is_worked_for_the_two_likeliest(
    temperature: float, after: tuple[float, float], said: str
) -> None:
    told = view.describe_temperature(bars((0.8, 0.2), after), temperature)
    assert said in told
    assert ("4 times as likely" in told) == (temperature != 1)


def test_the_distribution_is_named_with_its_temperature() -> None:
    assert drawn_from(Sampling(temperature=2)) == f"{DRAWN}, temperature 2"
    assert drawn_from(Sampling()) == DRAWN


def test_a_temperature_is_not_worked_for_a_word_that_cannot_be_drawn() -> None:
    assert view.describe_temperature(bars((0.8, 0.2), (1, 0)), 0.5) == ""
    assert view.describe_temperature(bars((0.8, 0.2), (1, 0)).iloc[:1], 0.5) == ""


def test_the_headline_gives_the_probability_of_the_draw_and_of_the_model_if_they_differ() -> None:
    as_it_is, warmer = ONE, GeneratedToken(4, (7, 4), (0.75, 0.25), (0.9, 0.1))
    assert describe_choice("b", as_it_is, 0, "word") == "As word 1 the model writes *b* (p = 0.250)."
    told = describe_choice("b", warmer, 0, "word")
    assert told.endswith("*b* (p = 0.100 when it is drawn; the model gives it p = 0.250).")
