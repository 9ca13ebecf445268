"""Side by side: RNN, LSTM and Transformer continue the same words, with a distribution at every step."""

from collections.abc import Mapping, Sequence

import pandas as pd

from core.measures.distance.long_range import N_LAYERS, TRANSFORMER
from core.measures.generation.writing import ENDS, WRITERS, GeneratedText, GenerationSettings, member_of
from core.model.config import ModelConfig
from core.programs import render_program
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.items import Pick
from pages.contract.look import STACKED
from pages.contract.prose import literal
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.sampling import CHOSEN, MODEL, drawn_from, word_table
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Controls, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.generation.texts import (
    BEYOND,
    STEP,
    WALK,
    Texts,
    ask_texts,
    ask_walk,
    chance,
    choose_by_hand,
    labels,
    manual_choices_note,
    shows_ahead,
    so_far,
)
from pages.generation.writer import OF_ALL, ROLES, WRITER, caption
from viz.named_bars import SHOWN, LikelyWords, likeliest
from viz.text import quoted
from viz.unrolled_text import UnrolledText
from words import counted, enumerated, p_equals

BY_HAND = "← by hand"
BEFORE = 2
"""Number of words before the step that are named above the bars."""

FED_BACK = "fed_back"
"""Spot of the model whose text is drawn as it is fed back."""

ANOTHER = "Choose another word here"

GREEDY = (
    "At every step each model gives every word a probability and takes the likeliest word (*greedy*). It "
    "reads this word as its next input and goes on."
)
SAMPLED = (
    "At every step each model gives every word a probability and draws one word by chance (*sampled*). It "
    "reads this word as its next input and goes on. The same seed draws the same words."
)
HAND = "A click on a bar puts that word in place of the chosen one, and the model goes on from there."

SIGNS = "W is the output layer, and h is what it reads at word t."
BOUNDED = " Only the words that top-k and top-p leave can come; their probabilities are divided by their sum."
OF_SAMPLED = r"w_{t+1} \sim \text{softmax}(h_t\,W_\text{out}%s)"
OF_GREEDY = r"w_{t+1} = \operatorname*{arg\,max}_w \; \text{softmax}(h_t\,W_\text{out})_w"

Written = Mapping[str, GeneratedText]


@view(**OF_ALL)
def side_by_side(ask: Ask, scene: Scene) -> Sheet:
    """Show each model's text so far and its distribution, and one of them unrolled over its text."""
    texts = ask_texts(ask, scene)
    written = {writer: texts.of(writer) for writer in WRITERS}
    step = ask_walk(ask, texts, max(len(text.written) for text in written.values()))
    with ask.at(FED_BACK):
        writer = ask.choice(WRITER, options=WRITERS, default=TRANSFORMER, hide_label=True)
    manner = texts.manner
    how = GREEDY if manner.way == "greedy" else SAMPLED
    told = (how, HAND, describe_manual_choices(written), ends(manner, written), BEYOND)
    return Sheet(
        headline=headline(written, step),
        caption=caption(texts.config, *manual_choices_note(*written.values())),
        unknown=tuple(written[texts.writer].unknown),
        parts=(
            Controls(WALK),
            *_columns(ask, texts, written, step),
            Text(" ".join(filter(None, told))),
            Text("## Written text is fed back"),
            Controls(FED_BACK),
            _unrolled(written[writer], writer, _last(written[writer], step)),
            Text(describe_feedback(written[writer], writer, _last(written[writer], step))),
            Fold("How the next word is chosen", (rule(manner),)),
        ),
        questions=lambda: (
            static_question("same_seed") if manner.way == "sampled" else static_question("greedy_text"),
            next_input(writer),
        ),
        program=lambda: Program(
            lambda: continuing(texts.plain, texts.config, texts.manners),
            prints="every word with the probability that the model gave it",
        ),
    )


def continuing(given: Sequence[str], config: ModelConfig, manners: Mapping[str, GenerationSettings]) -> str:
    """Return the program that continues a text with every writer; only their forced words differ."""
    manner = next(iter(manners.values()))
    return render_program(
        "continuing",
        "A text continued word by word: the model, the word, and its probability.",
        given=list(given),
        models={member_of(name, config): dict(one.forced) for name, one in manners.items()},
        room=max(0, min(manner.most, MAX_WORDS - len(given))),
        ends=list(ENDS) if manner.stops else [],
        is_sampled=manner.way == "sampled",
        seed=manner.seed,
        temperature=manner.sampling.temperature,
        top_k=manner.sampling.top_k,
        top_p=manner.sampling.top_p,
    )


def _last(text: GeneratedText, step: int) -> int:
    """Return the step of one writer, whose text may be shorter than the longest."""
    return min(step, len(text.written) - 1)


def _columns(ask: Ask, texts: Texts, written: Written, step: int) -> list[Columns]:
    """Return three columns: the text so far, and the model's distribution at the step.

    Bars begin at the same height, whatever the lines of the texts: texts and bars each get a row of columns,
    while the page is wide enough for columns.
    """
    ahead = shows_ahead(ask)
    said: list[tuple[Part, ...]] = [
        (Text(f"**{writer}**"), Text(so_far(text, _last(text, step), ahead=ahead)))
        for writer, text in written.items()
    ]
    bars = [_choices(ask, texts, text, writer, _last(text, step)) for writer, text in written.items()]
    if ask.look.page < STACKED:
        return [Columns(tuple((*text, *of) for text, of in zip(said, bars, strict=True)))]
    return [Columns(tuple(said)), Columns(tuple(bars))]


def _choices(ask: Ask, texts: Texts, text: GeneratedText, writer: str, step: int) -> tuple[Part, ...]:
    """Return the bars of one writer, and a menu with the effect of a click on a bar."""
    key, drawn = writer.lower(), texts.manner.way == "sampled"
    at, table = text.n_given + step, text.choices(step)
    word = f"step {step + 1}, after {quoted(' '.join(text.words[max(0, at - BEFORE) : at]))}"
    picture = LikelyWords(
        words=likeliest(table),
        title=f"{writer}, {word}",
        short=word[0].upper() + word[1:],
        before=MODEL,
        after=drawn_from(texts.manner.sampling) if drawn else "",
        answer=BY_HAND if step in text.forced else CHOSEN,
        colour=ROLES[writer],
        is_clickable=True,
        make_table=lambda: word_table(table, drawn=drawn),
    )
    another = f"another_{key}"
    with ask.at(another):
        ask.add(
            Pick(
                another,
                f"{writer}: {ANOTHER.lower()}",
                ANOTHER,
                tuple(table["word"][:SHOWN]),
                lambda word, link: choose_by_hand(writer, step, word, link),
            )
        )
    return (
        PicturePart(
            f"choices_{key}",
            picture,
            on_click=lambda points, link: choose_by_hand(writer, step, points[-1]["data"], link),
        ),
        Controls(another, "below each other"),
    )


def headline(written: Written, step: int) -> str:
    """Return the word that each model writes at the step, and its probability."""
    told = "; ".join(_writes(writer, text, step) for writer, text in written.items())
    return f"Step {step + 1} of each text: {told}."


def _writes(writer: str, text: GeneratedText, step: int) -> str:
    n = len(text.written)
    if step >= n:
        return f"{writer} none, its last was step {n}"
    hand = ", by hand" if step in text.forced else ""
    return f"{writer} *{literal(text.written[step])}*{hand} ({p_equals(chance(text, step))})"


def describe_manual_choices(written: Written) -> str:
    """Return a sentence that names the words chosen by hand."""
    named = [
        f"{writer} step {step + 1} **{literal(text.written[step])}**"
        for writer, text in written.items()
        for step in sorted(text.forced)
    ]
    return f"Chosen by hand: {', '.join(named)}." if named else ""


def ends(manner: GenerationSettings, written: Written) -> str:
    """Return a sentence that names the texts cut off before the end of a sentence."""
    open_ones = [writer for writer, text in written.items() if not text.ended]
    if not manner.stops or not open_ones:
        return ""
    n = max(len(written[writer].written) for writer in open_ones)
    return f"Not ended after {counted(n, 'word')}: {enumerated(open_ones)}."


def _unrolled(text: GeneratedText, writer: str, step: int) -> PicturePart:
    """Return the network unrolled over the text up to the step: every output is the next input."""
    read = text.words[text.n_given - 1 :]
    rows = [
        (at + 1, read[at], word, chance(text, at), at in text.forced) for at, word in enumerate(text.written)
    ]
    columns = ["step", "read", "written", "probability", "by hand"]
    picture = UnrolledText(
        title=f"{writer} unrolled over the text that it writes, step {step + 1}",
        words=labels(text),
        n_given=text.n_given,
        name=writer,
        step=step,
        n_layers=N_LAYERS,
        attends=writer == TRANSFORMER,
        make_table=lambda: pd.DataFrame(rows, columns=columns),
    )
    return PicturePart("fed_back", picture, on_click=lambda points, link: {STEP: int(points[-1]["data"])})


def describe_feedback(text: GeneratedText, writer: str, step: int) -> str:
    """Return where the input of the step comes from, and the model's memory of the words before."""
    read, word = (literal(text.words[text.n_given + step - back]) for back in (1, 0))
    how = "is put there by hand" if step in text.forced else "is chosen"
    unused = ". Predictions after earlier words are not used" * (text.n_given > 1)
    source = (
        f"the {'only' if text.n_given == 1 else 'last'} given word{unused}"
        if step == 0
        else "the word written in the step before"
    )
    handed_on = "state and cell" if writer == "LSTM" else "state"
    inside = (
        "Each state attends to the states of all words so far, in every layer."
        if writer == TRANSFORMER
        else f"Of earlier words the network has only the last {handed_on} of each layer."
    )
    return (
        f"At step {step + 1} the {writer} reads *{read}*, {source}. Then *{word}* {how}. {inside} A model "
        "that reads its own words is autoregressive."
    )


def rule(manner: GenerationSettings) -> Formula:
    """Return how the next word is chosen."""
    if manner.way == "greedy":
        return Formula(OF_GREEDY, SIGNS)
    sampling = manner.sampling
    temperature = "" if sampling.temperature == 1 else rf"\,/\,{sampling.temperature:g}"
    is_bounded = sampling.top_k is not None or sampling.top_p < 1
    return Formula(OF_SAMPLED % temperature, SIGNS + BOUNDED * is_bounded)


def next_input(writer: str) -> Choose | None:
    """Ask what a model reads after it has written a word."""
    return choose(
        f"The {writer} has written a word. What does it read next?",
        Option("that word", True),
        Option(
            "the right next word",
            False,
            "There is no right next word here. Only in training does a model read the words of a known text.",
        ),
        Option(
            "the whole text again from its first word",
            False,
            "It has what it needs of the words before: keys and values of each, or states.",
        ),
        because="Every written word is the next input. Such a model is called autoregressive.",
    )
