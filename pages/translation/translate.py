"""Translate: the sentence word by word, and the alternatives to each word."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np
import pandas as pd

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.vector import by_source_length
from core.measures.translation.writing import Strategy, WrittenTranslation, write
from core.programs import Call
from core.sources.trained import load_translator, record_of_translator
from core.text import language
from core.text.tokenizer import words_of
from core.text.translation import END, NAME, RULES, SPECIAL
from core.text.translation import translate as by_the_rules
from pages.contract.ask import Ask
from pages.contract.prose import Typed, literal
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.sampling import CHOSEN, MODEL, drawn_from, word_table
from pages.contract.scene import Scene
from pages.contract.sheet import (
    Columns,
    Controls,
    Fold,
    Formula,
    Part,
    PicturePart,
    Program,
    Sheet,
    Table,
    Text,
    chooses,
)
from pages.contract.static_questions import static_question
from pages.contract.view import view
from pages.translation.decoding import ask_strategy, ending, given, how, not_given, worth
from pages.translation.source_sentence import ONE, differing, source_of, written
from viz.bar_rows import BarRows
from viz.beam import BeamTree
from viz.named_bars import LikelyWords, likeliest
from viz.text import quoted
from words import counted, p_equals

MOST_NAMED = 4
"""Greatest number of words before a step that its title names."""

MOST_STEPS = 1_000
"""Greatest possible answer."""


STEP = "step"

TRANSLATION, WALK, MISTAKE = "translation", "walk", "mistake"
"""Spots of the row of words, of the buttons that walk through it, and of the button for a mistake."""

WHOLE = 200
"""Greatest number of characters of an example: every example is shorter."""

MADE = (
    f"{NAME} is made by rule from a small artificial English. Every sentence has one translation, and every "
    "word of it is linked with the words that it translates."
)

LOSS = r"\mathcal{L} = -\frac{1}{m} \sum_{t=1}^{m} \ln p_\theta(y_t \mid y_{<t}, x)"

LOSS_SOURCE = "loss of a translation y of m words, the last of them the end symbol, given the source x"

FORCED = (
    "In training the decoder is fed the right words before each word, even if it would have written others. "
    "This is teacher forcing. Here it is fed its own words after any given ones, so it also reads its own "
    "mistakes. Begin with another word to see which later words change."
)


@view(**ONE)
def translate(ask: Ask, scene: Scene) -> Sheet:
    """Show the translation as a row of words, and the distribution at one of them."""
    here, strategy = source_of(scene), ask_strategy(ask)
    begins = tuple(map(Typed, words_of(ask.entry("begins", placeholder="words of your own"))))
    strategy = replace(strategy, prefix=given(begins))
    pair = here.translator.pair
    text = written(pair, here.plain, strategy)
    greedy = written(pair, here.plain, Strategy(prefix=strategy.prefix))
    exact = here.reference.translation
    with ask.at(TRANSLATION):
        step = ask.word_row(STEP, text.words, label=f"Translation into {NAME}")
    with ask.at(WALK):
        ask.walk(STEP, len(text.words))
    begun = with_mistake(written(pair, here.plain, Strategy()))
    with ask.at(MISTAKE):
        if begun:
            ask.button("Begin with another word", {"begins": " ".join(begun), "way": "greedy"})
    told = (how(strategy), ending(text), worth(text, greedy, strategy.way))
    return Sheet(
        headline=headline(text, strategy, step),
        notes=tuple(Text(one, "info") for one in not_given(begins)),
        below_sentence=here.below,
        parts=(
            Controls(TRANSLATION),
            Columns(
                ((Controls(WALK),), (Text(marked_reference(text, None if exact is None else exact.words)),)),
                (1, 2),
            ),
            *_pictures(text, step, strategy, greedy, source=here.scene.text if ask.look.fills else ""),
            Text(" ".join(told)),
            Text(MADE, "remark"),
            Fold("What the decoder is fed", (Formula(LOSS, LOSS_SOURCE), Text(FORCED), Controls(MISTAKE))),
            _rules(),
            Table("learned", lambda: learned(pair), title="What the model has learned"),
        ),
        questions=lambda: (
            steps_of_writing(len(text.sentence), len(text.words))
            if text.ended and not strategy.prefix and strategy.way != "beam"
            else None,
            static_question("fed_after_a_mistake"),
        ),
        program=lambda: Program.calling(
            "A translation, word by word, with the probability of every word.",
            write,
            Call(load_translator, pair, here.plain),
            strategy,
            shows=(".words", ".probabilities", ".total"),
        ),
    )


def _pictures(
    text: WrittenTranslation, step: int, strategy: Strategy, greedy: WrittenTranslation, *, source: str
) -> tuple[Part, ...]:
    """Return the tree of a beam above the distribution, or the distribution beside the chosen words.

    The `source` is named in the lecture hall, which does not see the box of the sentence.
    """
    after = drawn_from(strategy.sampling) if strategy.way == "sampled" else ""
    if strategy.way == "beam":
        heading = (Text(f"**{literal(source)}**"),) if source else ()
        return *heading, _tree(text, step, greedy.words), _distribution(text, step, after)
    columns = (_distribution(text, step, after, source),), (_certainty(text, step),)
    return (Columns(columns, (4, 5), alone=True),)


def _distribution(text: WrittenTranslation, step: int, after: str, source: str = "") -> PicturePart:
    """Return the likeliest words at a step; `after` names the distribution of sampling."""
    table, word = text.choices(step), step_label(text.words, step)
    picture = LikelyWords(
        words=likeliest(table),
        title=f"Probabilities of {word}{f', translating {quoted(source)}' if source else ''}",
        short=word[0].upper() + word[1:],
        before=MODEL,
        after=after,
        make_table=lambda: word_table(table, drawn=bool(after)),
        answer=CHOSEN,
    )
    return PicturePart("choices", picture)


def _certainty(text: WrittenTranslation, step: int) -> PicturePart:
    """Return the probability of each word, given those before it."""
    picture = BarRows(
        title="Probability of each word at its step",
        shares=np.exp(text.chosen)[None],
        rows={"probability": "attention"},
        columns=text.words,
        chosen=step,
    )
    return PicturePart("certainty", picture, on_click=chooses(STEP))


def _tree(text: WrittenTranslation, step: int, greedy: Sequence[str]) -> PicturePart:
    """Return the beginnings of a beam, and the words of greedy decoding among them."""
    table = pd.DataFrame([asdict(one) for one in text.tree])
    title = "Beginnings of a beam search with their log-probabilities"
    picture = BeamTree(title=title, hypotheses=table, step=step + 1, greedy=greedy)
    return PicturePart("beam_tree", picture, on_click=lambda points, link: {STEP: points[-1]["data"]})


def _rules() -> Fold:
    """Return the rules of the second language, each with an example translated by the rules themselves."""

    def example(sentence: str) -> str:
        return literal(" ".join(by_the_rules(language.parse(words_of(sentence))).words), longest=WHOLE)

    rules = (
        f"**{rule.title.capitalize()}.** {rule.says}  \n"
        f"*{literal(rule.example, longest=WHOLE)}* → *{example(rule.example)}*"
        for rule in RULES
    )
    return Fold(f"The rules of {NAME}", tuple(map(Text, rules)), key="rules")


def learned(pair: TranslatorConfig) -> pd.DataFrame:
    """Return the share of test sentences right for each group of source lengths."""
    shares = by_source_length(record_of_translator(pair))
    return pd.DataFrame(
        {
            "sentences right": [share.value for share in shares.values()],
            "standard error": [share.error for share in shares.values()],
            "sentences": [share.n for share in shares.values()],
        },
        index=pd.Index([f"{first}–{last}" for first, last in shares], name="words in the source"),
    )


def with_mistake(text: WrittenTranslation) -> tuple[str, ...]:
    """Return the first word of a translation and the likeliest other word after it, if there is one."""
    if len(text.sentence) < 2:
        return ()
    others = (str(word) for word in text.choices(1)["word"] if word not in (text.words[1], *SPECIAL, END))
    return (text.words[0], next(others))


def step_label(words: tuple[str, ...], step: int) -> str:
    """Return a step as titles name it: its number, and the last of the words before it."""
    before = f"{'… ' if step > MOST_NAMED else ''}{' '.join(words[max(0, step - MOST_NAMED) : step])}"
    return f"word {step + 1} after {quoted(before) if step else 'the start'}"


def headline(text: WrittenTranslation, strategy: Strategy, step: int) -> str:
    """Return a sentence on the decoding strategy, and one on the word at a step, counted from 0."""
    ways = {
        "greedy": "Greedy decoding",
        "sampled": f"Sampling at temperature {strategy.sampling.temperature:g}",
        "beam": f"Beam search of width {strategy.width}",
    }
    word, probability = literal(text.words[step]), p_equals(float(np.exp(text.chosen[step])))
    # A beam goes on until all beginnings that it keeps have ended.
    n_steps = max((one.step for one in text.tree), default=len(text.words))
    takes = f"{ways[strategy.way]} takes {counted(n_steps, 'step')}."
    if step < len(strategy.prefix):
        return f"{takes} Step {step + 1} is set by you to *{word}*, for which the model has {probability}."
    return f"{takes} Step {step + 1} writes *{word}* with {probability}."


def marked_reference(text: WrittenTranslation, right: Sequence[str] | None) -> str:
    """Return the translation by the rules, with marks on the words where the model's differs."""
    if right is None:
        return ""
    if tuple(right) == text.sentence:
        return f":green-badge[right] The same words as the translation by the rules of {NAME}."
    return f":red-badge[not right] By the rules of {NAME}: {differing(right, text.sentence)}"


def steps_of_writing(n_words: int, n_steps: int) -> Estimate | None:
    """Ask for the number of steps in which a translation is written; None for one without words."""
    if not n_words:
        return None
    known = (
        (1, "In training the right words are known. While the model writes, each word waits."),
        (n_words, "The end of the translation is predicted too, in one more step."),
    )
    return Estimate(
        text=(
            f"The model writes a translation of {counted(n_words, 'word')}, marks included. How many "
            "steps does it take until it stops by itself?"
        ),
        right=n_steps,
        bounds=(0, MOST_STEPS),
        mistaken=mistakes(n_steps, *known),
        because="Each step predicts one word after those already written, and the last predicts the end.",
    )
