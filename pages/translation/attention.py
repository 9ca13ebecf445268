"""Cross-attention: what each word of the translation attends to, and how that compares with the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.aligned import rates_of_sentence, rates_of_test_set
from core.measures.translation.attending import Attending, attending
from core.measures.translation.scoring import Judged, judged_by_place
from core.measures.translation.writing import Strategy
from core.programs.translation import pair_attention_program
from core.sources.translators import load_translator
from core.text.language import START
from core.text.translation import Translation
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Changes, Columns, Link, Part, Point, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.shell import Program, Scene
from pages.translation import attention_said as says
from pages.translation.kinds import CROSS, DECODER, ENCODER, ROWS, heading_of, roles_of
from pages.translation.source_sentence import SourceSentence, said, without_attention
from pages.translation.translate import written
from viz.alignment import alignment
from viz.bar_rows import bars
from viz.head_effects import name_of

OWN, REFERENCE = options_of("target")
WIDTH = 560


@dataclass(frozen=True)
class Choices:
    """The kind of attention, and the translation that is written: the model's own, or that of the rules."""

    kind: str
    target: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The weights while the translation is written, and the alignment error rates of every head.

    Of a decoder that attends to nothing there are no `weights`.
    """

    here: SourceSentence
    kind: str
    target: tuple[str, ...] = ()
    weights: Attending | None = None
    rates: pd.DataFrame | None = None
    by_place: Judged | None = None

    @property
    def layers(self) -> Float[np.ndarray, "layer head query key"]:
        """The weights of this kind of attention."""
        assert self.weights is not None, "the decoder attends"
        return {CROSS: self.weights.cross, ENCODER: self.weights.encoder, DECODER: self.weights.decoder}[
            self.kind
        ]

    @property
    def pattern(self) -> Float[np.ndarray, "query key"]:
        """Attention weights of the chosen head."""
        return np.asarray(self.layers[self.here.scene.layer, self.here.scene.head])

    @property
    def queries(self) -> Sequence[str]:
        """What rows stand for."""
        assert self.weights is not None, "the decoder attends"
        return {CROSS: self.weights.written, ENCODER: self.here.labels, DECODER: self.weights.fed}[self.kind]

    @property
    def keys(self) -> Sequence[str]:
        """What columns stand for."""
        assert self.weights is not None, "the decoder attends"
        return self.weights.fed if self.kind == DECODER else self.here.labels

    @property
    def exact(self) -> Translation | None:
        """The reference, where it is what was written."""
        exact = self.here.reference.translation
        return exact if exact is not None and exact.words == self.target else None


def ask(ask: Ask, scene: Scene) -> Choices | None:
    """The kind of attention, and the translation, where there is a choice; None without attention."""
    here = said(scene)
    if not here.translator.attends:
        return None
    kind = ask.choice("kind", hide_label=True) if here.translator.is_transformer else CROSS
    return Choices(kind, _target(ask, here))


def _target(ask: Ask, here: SourceSentence) -> tuple[str, ...]:
    own = written(here.translator.pair, here.plain, Strategy()).sentence
    exact = here.reference.translation
    if exact is None or exact.words == own:
        return own
    return own if ask.choice("target") == OWN else exact.words


def find(scene: Scene, choices: Choices | None) -> Found:
    """The weights, and of cross-attention how well they align."""
    here = said(scene)
    if choices is None:
        return Found(here, CROSS)
    pair = here.translator.pair
    weights = _attending(pair, here.plain, choices.target)
    if choices.kind != CROSS:
        return Found(here, choices.kind, choices.target, weights)
    return Found(here, choices.kind, choices.target, weights, _rates(pair), judged_by_place())


@remembered()
def _attending(pair: TranslatorConfig, words: tuple[str, ...], target: tuple[str, ...]) -> Attending:
    return attending(load_translator(pair, words), target)


@remembered(saying="Aligning test sentences …")
def _rates(pair: TranslatorConfig) -> pd.DataFrame:
    return rates_of_test_set(load_translator(pair, (START,)).model)


def sheet(found: Found, look: Look) -> Sheet:
    """One head's weights on the left, how well every head aligns on the right."""
    if found.weights is None:
        return without_attention(found.here)
    left, right = look.columns((5, 4), alone=True)
    is_transformer = found.here.translator.is_transformer
    told: tuple[Part, ...] = (Text(ROWS[found.kind]),)
    if found.rates is None or found.by_place is None:
        answer = says.largest(found.pattern, found.queries, found.keys, found.here.scene.title, found.kind)
    else:
        answer = says.aligned_by(found.rates, found.by_place, found.here.scene if is_transformer else None)
        best = says.best_aligned(found.rates) if is_transformer else ""
        aligned = (says.NO_LINKS_TAUGHT, best, says.by_place(found.by_place), _in_this_sentence(found))
        told = (Text(" ".join(filter(None, [ROWS[found.kind], *aligned]))),)
        if is_transformer:
            told = (Text(says.RATES), _error_rates(found, found.rates, right), *told)
    return Sheet(
        answer=answer,
        below_sentence=found.here.below,
        parts=(Columns(((_weights(found, left),), told), (5, 4), alone=True),),
    )


def _weights(found: Found, look: Look) -> Shown:
    """The weights of the chosen head; of cross-attention with the links of the rules."""
    here, exact = found.here, found.exact if found.kind == CROSS else None
    named = heading_of(found.kind)
    picture = alignment(
        found.pattern,
        found.queries,
        found.keys,
        title=f"{named}, {here.scene.place}" if here.translator.is_transformer else named,
        short=f"{found.kind.capitalize()}, {here.scene.place}",
        theme=look.theme,
        exact=[(t, s) for s, t in exact.alignment] if exact is not None else [],
        signed=here.translator.signed,
        roles=roles_of(found.kind),
        size=look.room(WIDTH),
    )
    return Shown("alignment", picture)


def _error_rates(found: Found, rates: pd.DataFrame, look: Look) -> Shown:
    """The alignment error rate of every head, on the test set and on this sentence."""
    names = [name_of(*head) for head in zip(rates["layer"], rates["head"], strict=True)]
    rows = {"all words": look.theme.attention, "content words": look.theme.value}
    shares = [rates["all words"], rates["content words"]]
    if found.exact is not None:
        rows["this sentence"] = look.theme.selection
        shares.append(rates_of_sentence(found.layers, found.exact).flatten())
    values, scene, n_heads = np.array(shares), found.here.scene, found.here.translator.config.n_heads
    picture = bars(
        values,
        rows,
        names,
        title="Alignment error rate of every head",
        theme=look.theme,
        narrow=look.is_narrow,
        table=lambda: pd.DataFrame(values.T, index=pd.Index(names, name="head"), columns=list(rows)),
        top=1.0,
        chosen=scene.layer * n_heads + scene.head,
    )

    def open_head(points: Sequence[Point], link: Link) -> Changes:
        layer, head = divmod(points[-1]["data"][1], n_heads)
        return {"layer": layer + 1, "head": head + 1}

    return Shown("error_rates", picture, on_click=open_head)


def _in_this_sentence(found: Found) -> str:
    scene = found.here.scene
    if found.exact is None:
        return ""
    head = (scene.layer, scene.head) if found.here.translator.is_transformer else None
    return says.in_this_sentence(found.pattern, found.exact, head)


def program(found: Found) -> Program | None:
    """The weights of the chosen head."""
    if found.weights is None:
        return None
    here = found.here
    pair, scene = here.translator.pair, here.scene
    return Program(
        lambda: pair_attention_program(
            pair, here.plain, found.target, kind=found.kind, layer=scene.layer, head=scene.head
        )
    )
