"""One model: it continues a text while the visitor watches, who can stop it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log

import numpy as np
import pandas as pd

from core.decoding import Sampling
from core.live.generation_queue import GenerationProgress, GenerationQueue, TooManyTextsError
from core.measures.generation.continuation import (
    CANNOT,
    WAYS,
    Continuation,
    GeneratedToken,
    GenerationConfig,
    generate,
    generate_all,
    max_new_tokens,
)
from core.priority import yield_to_requests
from core.sources import LoadedModel
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.items import Action
from pages.contract.loading import loaded
from pages.contract.prose import bold, literal, set_off
from pages.contract.sampling import CHOSEN, MODEL, ask_sampling, drawn_from
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Controls, Part, PicturePart, Program, Sheet, Table, Text, table
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW, Architecture
from pages.contract.view import Live, view
from pages.generation.texts import BEYOND, WALK, ask_step, shows_ahead
from pages.generation.writer import EXAMPLES, STORES, why_not_written
from viz.named_bars import LikelyWords, likeliest
from words import counted, magnitude, p_equals, probability, two_decimals

DESK = GenerationQueue()
"""Queue in which this process writes the texts of all visitors."""

RUN = "run"
"""Spot of the button that stops a text."""

MOST = 48
"""Greatest number of words or pieces that are written, even if a link asks for more."""

LIKELIEST = "← likeliest"
"""Note at the likeliest word in a hall: greedy decoding chooses it."""

MOST_NAMED = 4
"""How many of the words before a step the title of its picture names."""

LONGEST = 20_000
"""Greatest length in characters of a shown text: every text is shorter."""

NOTHING_YET = "Nothing is written yet."
GREEDY = "Greedy decoding takes the likeliest {} at every step."
SAMPLED = (
    "Sampling draws each {} by chance, among those that top k and top p leave. The same seed draws the same "
    "text."
)
BEAM = (
    "Beam search keeps the likeliest beginnings at every step. The probability of a beginning is the "
    "product of the probabilities of its {}s."
)
IN_TURN = (
    "The server writes the texts of all visitors in turn, one {} at a time. A text takes longer while many "
    "visitors are here."
)

Names = Sequence[str]


@dataclass(frozen=True)
class TextRequest:
    """Request for a text: the given words, the model, and the settings."""

    words: tuple[str, ...]
    switches: Architecture
    generation: GenerationConfig

    def model(self) -> LoadedModel:
        """Return the model with the words; raises UnavailableError without one."""
        return loaded(self.words, self.switches)

    def look(self) -> GenerationProgress:
        """Return the text so far, and keep its generation running."""
        try:
            return DESK.poll(self, lambda: generate(self.model(), self.generation))
        except TooManyTextsError as error:
            return GenerationProgress(state="failed", message=str(error))

    def is_active(self) -> bool:
        """Return whether the text is being written."""
        return self.look().is_active


@view(
    question="How does one model continue a text?",
    sentence=STORES,
    examples=EXAMPLES,
    switches=WITHOUT_WINDOW,
    pieces=MAX_WORDS,
)
def one_model(ask: Ask, scene: Scene) -> Sheet | Live:
    """Show the text so far with the likeliest tokens of each step, or all beginnings of a beam."""
    request = TextRequest(scene.plain, scene.switches, _ask_manner(ask, scene.unit))
    model = request.model()
    if why_not := why_not_written(model, CANNOT, unit=scene.unit):
        return Sheet(notes=(Text(why_not, "info"),), unknown=model.unknown)
    most = max_new_tokens(model, request.generation)

    def drawn(again: Ask, now: GenerationProgress | None) -> Sheet:
        if now is not None:
            with again.at(RUN):
                _add_buttons(again, request, now)
        done = (
            GenerationProgress(_whole(request.words, request.switches, request.generation), "whole")
            if now is None
            else now
        )
        return _sheet(again, scene, request, done, most)

    if ask.trainee is None:
        return Live(lambda: None, lambda: False, drawn, moment)
    return Live(request.look, request.is_active, drawn, moment)


@cached_for_all(saying="Writing …")
def _whole(words: tuple[str, ...], switches: Architecture, generation: GenerationConfig) -> Continuation:
    """Return a text generated at once, without a page, such as for a file."""
    found = Continuation()
    for step in yield_to_requests(generate(loaded(words, switches), generation)):
        found = step
    return found


def moment(now: GenerationProgress) -> str:
    """Return when a picture was drawn, if the text was not yet complete."""
    return "" if now.state == "whole" else f"after {counted(now.text.n_tokens, 'step')}"


def _ask_manner(ask: Ask, unit: str) -> GenerationConfig:
    way = ask.choice("way", options=WAYS, hide_label=True)
    generation = GenerationConfig(strategy=way)
    if way == "sampled":
        sampling, seed = ask_sampling(ask)
        generation = replace(generation, sampling=sampling, seed=seed)
    if way == "beam":
        generation = replace(generation, width=int(ask.menu("beam", width=100)))
    most = min(MOST, ask.menu("most", label=f"{unit.capitalize()}s at most", width=190))
    stops = ask.switch("stops", help=BEYOND if unit == "word" else None)
    return replace(generation, max_new_tokens=most, stop_at_sentence_end=stops)


def _add_buttons(ask: Ask, request: TextRequest, now: GenerationProgress) -> None:
    """Add the button that stops a text, or continues a stopped text."""
    if now.is_active:
        ask.add(Action("Stop", partial(DESK.stop, request), "stop", icon=":material/stop:", is_primary=True))
    elif now.state in ("stopped", "failed"):
        ask.add(Action("Go on", partial(DESK.resume, request), "go_on", icon=":material/play_arrow:"))


def _sheet(ask: Ask, scene: Scene, request: TextRequest, now: GenerationProgress, most: int) -> Sheet:
    model, text = request.model(), now.text
    shown = partial(_shown, scene, model)
    status = Text(describe_status(now, most, scene.unit))
    parts: tuple[Part, ...] = (Controls(RUN), status)
    answer = NOTHING_YET
    if text.beginnings:
        answer = describe_beam([shown(one.tokens) for one in text.beginnings], text)
        parts = (*parts, _beginnings(text, shown), Text(BEAM.format(scene.unit)))
    elif text.chosen:
        names = [_name(scene, model, one.token) for one in text.chosen]
        at = len(names) - 1 if now.is_active else ask_step(ask, len(names), scene.unit)
        answer = describe_choice(names[at], text.chosen[at], at, scene.unit)
        ahead = shows_ahead(ask)
        parts = (
            *parts,
            Controls(WALK),
            Text(so_far(_given(scene), shown, text.tokens, at, ahead=ahead)),
            _bars(
                scene, model, text.chosen[at], names[:at], request.generation.sampling, is_hall=ask.look.fills
            ),
            Text(_how_chosen(scene, model, request.generation, text.chosen[at])),
            Table(
                "written",
                lambda: token_table(names, text.chosen),
                title=f"Every {scene.unit} that is written",
            ),
        )
    return Sheet(
        headline=answer,
        caption=Caption(models=lambda: (scene.switches.described(),)),
        parts=(*parts, *in_turn(now, scene.unit)),
        unknown=model.unknown,
        questions=lambda: (static_question("low_temperature"),),
        program=lambda: Program.calling(
            "How a model continues a text: the probability of its choice at each step.",
            generate_all,
            replace(scene.subject, window=None).call,
            request.generation,
            shows=(".probabilities",),
            prints="the probability of each step, or of each beginning of a beam",
        ),
    )


def _name(scene: Scene, model: LoadedModel, token: int) -> str:
    """Return a token as a reader understands it."""
    word = model.vocabulary.words[token]
    return word if scene.pieces is None else scene.pieces.readable(word)


def _shown(scene: Scene, model: LoadedModel, tokens: Sequence[int]) -> str:
    """Return the text after the given words: words with a blank before each, or pieces put together."""
    one = model.pretrained
    if one is None:
        return "".join(f" {model.vocabulary.words[token]}" for token in tokens)
    return one.joined(tokens)


def _given(scene: Scene) -> str:
    return " ".join(map(str, scene.words)) if scene.pieces is None else scene.text


def so_far(given: str, shown: "partial[str]", tokens: Sequence[int], at: int, *, ahead: bool) -> str:
    """Return a text with the token of a step in bold; if `ahead`, later tokens follow in grey."""
    before, upto, whole = (shown(tokens[:n]) for n in (at, at + 1, len(tokens)))
    own, after = upto[len(before) :], whole[len(upto) :]
    blank = " " * (own[:1].isspace() or not own.strip())
    named = bold(_on_one_line(own.strip())) if own.strip() else ""
    rest = f" :gray[{_on_one_line(after.strip())}]" if after.strip() and ahead else ""
    return f"{_on_one_line(given + before)}{blank}{named}{rest}"


def _on_one_line(text: str) -> str:
    return str(literal(text.replace("\n", " ⏎ "), longest=LONGEST))


def _bars(
    scene: Scene,
    model: LoadedModel,
    chosen: GeneratedToken,
    before: Names,
    sampling: Sampling,
    *,
    is_hall: bool,
) -> PicturePart:
    rows = choices(chosen, [_name(scene, model, token) for token in chosen.tokens])
    read = [*_given(scene).split(), *before]
    named = MOST_NAMED if scene.pieces is None else 1
    after = f" after “{'… ' if len(read) > named > 1 else ''}{' '.join(read[-named:])}”"
    what = f"next {scene.unit}{after}"
    picture = LikelyWords(
        words=likeliest(rows),
        title=f"Probabilities of the {what}",
        short=what[0].upper() + what[1:],
        before=MODEL,
        after="" if chosen.after is None else drawn_from(sampling),
        answer=LIKELIEST if is_hall and chosen.after is None else CHOSEN,
        notes_after=True,
        make_table=lambda: rows,
    )
    return PicturePart("chosen_from", picture)


def _how_chosen(
    scene: Scene, model: LoadedModel, generation: GenerationConfig, chosen: GeneratedToken
) -> str:
    """Return how a token is chosen from the bars, and the effect of the temperature on the two likeliest."""
    if generation.strategy == "greedy":
        return GREEDY.format(scene.unit)
    names = [_name(scene, model, token) for token in chosen.tokens]
    rows = choices(chosen, names).sort_values("before", ascending=False, kind="stable")
    warmer = describe_temperature(rows, generation.sampling.temperature)
    return " ".join(filter(None, (SAMPLED.format(scene.unit), warmer)))


def describe_temperature(rows: pd.DataFrame, temperature: float) -> str:
    """Return how a temperature changes the ratio of the first two rows; nothing for a single row."""
    if len(rows) < 2 or not (rows[["before", "after"]].iloc[:2] > 0).all(axis=None):
        return ""
    if temperature == 1:
        return "A *temperature* divides all logits before the softmax. At 1 it changes nothing."
    (one, other), ratio = rows["word"].iloc[:2], rows["before"].iloc[0] / rows["before"].iloc[1]
    drawn, apart = rows["after"].iloc[0] / rows["after"].iloc[1], log(ratio)
    side = "Below 1 the likeliest gains." if temperature < 1 else "Above 1 chances become more equal."
    return (
        f"A *temperature* divides all logits before the softmax. To the model, {set_off(one)} is "
        f"{magnitude(ratio)} times as likely as {set_off(other)}: their logits differ by "
        f"{two_decimals(apart)}. Divided by {temperature:g} they differ by "
        f"{two_decimals(apart / temperature)}, so {set_off(one)} is {magnitude(drawn)} times as likely to be "
        f"drawn. {side}"
    )


def choices(chosen: GeneratedToken, names: Names) -> pd.DataFrame:
    """Return word, before, after (drawn from) and answer (chosen) of the likeliest tokens of a step."""
    after = chosen.before if chosen.after is None else chosen.after
    is_chosen = [token == chosen.token for token in chosen.tokens]
    return pd.DataFrame({"word": names, "before": chosen.before, "after": after, "answer": is_chosen})


def token_table(names: Names, chosen: Sequence[GeneratedToken]) -> pd.DataFrame:
    """Return every written token with its probability, and the probability with which it was drawn."""
    numbers = pd.Index(np.arange(1, len(names) + 1), name="step")
    told = {"written": names, "probability": [one.probability for one in chosen]}
    if any(one.after is not None for one in chosen):
        told["drawn with"] = [one.drawn_with for one in chosen]
    return pd.DataFrame(told, index=numbers)


def _beginnings(text: Continuation, shown: "partial[str]") -> Table:
    rows = [
        (_on_one_line(shown(one.tokens)), probability(share), two_decimals(one.log_probability))
        for one, share in zip(text.beginnings, text.probabilities, strict=True)
    ]
    return table("beginnings", ("Beginning", "Probability", "Its logarithm"), rows)


def describe_choice(name: str, chosen: GeneratedToken, at: int, unit: str) -> str:
    """Return a sentence on the token chosen at a step, and on its probability when it is drawn."""
    given, drawn = p_equals(chosen.probability), p_equals(chosen.drawn_with)
    likely = given if given == drawn else f"{drawn} when it is drawn; the model gives it {given}"
    return f"As {unit} {at + 1} the model writes {set_off(name)} ({likely})."


def describe_beam(texts: Names, text: Continuation) -> str:
    """Return the likeliest beginning of a beam with its probability."""
    best = text.probabilities[0]
    which = f"The likeliest of {len(texts)} beginnings" if len(texts) > 1 else "The only beginning kept"
    return f"{which} is *{_on_one_line(texts[0].strip())}* ({p_equals(best)})."


def in_turn(now: GenerationProgress, unit: str) -> tuple[Text, ...]:
    """Return why a text may take a while, while it is being written."""
    return (Text(IN_TURN.format(unit)),) if now.is_active else ()


def describe_status(now: GenerationProgress, most: int, unit: str) -> str:
    """Return how far a text is, and why it ended."""
    n = now.text.n_tokens
    if now.state == "failed":
        return str(literal(now.message, longest=LONGEST))
    if now.state == "whole":
        one = "The longest beginning" if now.text.beginnings else "The text"
        return f"{one} {'has reached the limit of' if n >= most else 'ended after'} {counted(n, unit)}."
    doing = "The model is writing" if now.is_active else "The text was stopped"
    return f"{doing}: {n} of at most {counted(most, unit)}."
