"""The home: one row of attention weights of a model, a question about it, its four steps, and the ways on."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.heads.effects import DecisiveHead, decisive_head
from core.measures.reading import Calculation, read
from core.sources import UnavailableError
from core.text.tokenizer import words_of
from pages import EXAM
from pages.browser.scripts import NOTES_AS_PDF, notes_address
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import PRAISED
from pages.contract.items import Button
from pages.contract.loading import loaded
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Controls, Part, PicturePart, Sheet, Text, Tile, Tiles
from pages.contract.switches import Architecture
from pages.contract.view import view
from pages.data.links import Link
from pages.home.gallery import WANTED, gallery
from pages.path.minutes import OF_EXAM, about_all, about_minutes
from pages.path.stops import STOPS, path_to, read_stops
from viz.arcs import Arcs
from viz.tables import word_label
from words import counted, enumerated, p_equals, per_cent, per_cents, two_decimals

GUESS = "guess"
"""Parameter with the visitor's answer, and the spot of its buttons."""

COLUMNS = (3.0, 4.0)

AFTER = Tile(
    EXAM.title,
    f"After stop {len(STOPS)}: an exam of fourteen questions.",
    Link("", EXAM.address).path,
    note=about_minutes(OF_EXAM),
)

PATH = tuple(
    Tile(stop.title, f"… {stop.goal}.", path_to(at), note=about_minutes(stop.title))
    for at, stop in enumerate(STOPS, 1)
)

DOORS = (
    Tile(
        "Learn",
        "Begin at the first stop: one head, stage by stage, with every number. At the last, SmolLM2 reads a "
        "sentence of your own.",
        path_to(1),
    ),
    Tile(
        "Teach",
        "Give one of the lectures that are ready, or add views to your own. A presenter's remote moves from "
        "step to step, and phones answer the questions.",
        Link("", "lecture").path,
    ),
    Tile(
        "Take figures",
        "Save, below a picture, makes a slide, SVG, PDF or PNG. Beside the button are the numbers of "
        "the picture and, on most views, a program that computes them again.",
        Link("", "explorer", {"view": "heads", "code": "true"}).path,
    ),
)

IN_GENERAL = "Attention lets a word take what it needs from the other words"

WORDS = words_of(PRAISED)
ASKS = len(WORDS) - 1
"""Position of the query word, the last one, which may attend to all others."""

CHOICES = ("Maria", "Zuko", "stores")


@dataclass(frozen=True, eq=False)
class HomeRow:
    """Weights of the last word in the head that the next word depends on most, and their calculations.

    `first` and `second` are the positions of the two largest weights, and `mixed` is the output of the head.
    `positions` names the position scheme of the model.
    """

    decisive: DecisiveHead
    weights: Float[np.ndarray, "key"]
    calculations: tuple[Calculation, ...]
    mixed: Float[np.ndarray, "d_head"]
    positions: str

    @property
    def first(self) -> int:
        """Return the position of the largest weight."""
        return int(np.argsort(-self.weights)[0])

    @property
    def second(self) -> int:
        """Return the position of the second largest weight."""
        return int(np.argsort(-self.weights)[1])

    @property
    def expected(self) -> str:
        """Return the word that the model predicts, spelt as in the sentence."""
        prediction = self.decisive.all_heads
        word = prediction.vocabulary[int(prediction.probabilities(ASKS).argmax())]
        return next((one for one in WORDS if one.lower() == word), word)

    def probability(self, word: str, *, without: bool = False) -> float:
        """Return the probability of a word after the last, with all heads or without the head shown."""
        prediction = self.decisive.without if without else self.decisive.all_heads
        return float(prediction.probabilities(ASKS)[prediction.vocabulary.index(word.lower())])

    def weight_of(self, word: str) -> float:
        """Return the weight of all mentions of a word together."""
        return float(sum(self.weights[at] for at, one in enumerate(WORDS) if one == word))


@cached_for_all()
def asked_row(switches: Architecture) -> HomeRow:
    """Return the row by the model of the switches. Raises UnavailableError if it is not there."""
    model = loaded(WORDS, switches)
    decisive, reading = decisive_head(model, position=ASKS), read(model)
    layer, head = decisive.layer, decisive.head
    return HomeRow(
        decisive=decisive,
        weights=reading.pattern(layer, head)[ASKS],
        calculations=tuple(reading.calculation(layer, head, ASKS, key) for key in range(len(WORDS))),
        mixed=reading.head(layer, head).z[ASKS],
        positions=switches.config.positions,
    )


@view(asks=False)
def home(ask: Ask, scene: Scene) -> Sheet:
    """Return the row with its question and its calculation, then links to other pages."""
    guess = ask.parsed(GUESS, _guessed, default="", instead="the question")
    with ask.at(GUESS):
        for word in CHOICES:
            ask.add(Button(_named(word), {GUESS: (word,)}, key=f"{GUESS}_{word}"))
    with ask.at(WANTED):
        wanted = ask.entry(WANTED, placeholder="mask, temperature, RoPE …", width=320)
    done = ask.parsed("done", read_stops, default=(), instead="what this browser knows")
    ways = (
        Text("## Twelve stops: after each you will be able to"),
        Tiles(PATH, arranged="stops", files={NOTES_AS_PDF: notes_address()}),
        Tiles((AFTER,)),
        Text(f"All stops take {about_all()}. {_progress(done)}", "remark"),
        Text("## Three doors"),
        Tiles(DOORS),
        Text("## Every view"),
        *gallery(wanted, ask.look.theme.name),
    )
    try:
        row = asked_row(scene.switches)
    except UnavailableError as error:
        return Sheet(headline=f"{IN_GENERAL}.", parts=ways, notes=(Text(str(error), "warning"),))
    share = per_cent(float(row.weights[row.first]))
    return Sheet(
        headline=f"{IN_GENERAL}: here *{WORDS[ASKS]}* takes {share} from *{WORDS[row.first]}*.",
        parts=(*_live(row, guess, scene.switches.described()), *ways),
    )


def _progress(done: tuple[int, ...]) -> str:
    """Return where the list of done stops is kept, and how to take it along."""
    if done:
        stops = f"stop {enumerated(done)} is" if len(done) == 1 else f"stops {enumerated(done)} are"
        return f"This address says that {stops} done. Open it in another browser to continue there."
    return "Your progress is kept in this browser alone. [Open a link that holds it](/?done=)."


def _live(row: HomeRow, guess: str, described: str) -> tuple[Part, ...]:
    """Return the arcs, and below them the question beside the calculation."""
    of = f"layer {row.decisive.layer + 1}, head {row.decisive.head + 1}"
    title = f"Attention weights of {word_label(WORDS, ASKS)}, {of}"
    picture = Arcs(title=title, weights=row.weights, words=WORDS, query=ASKS)
    caption = Caption(models=lambda: (described,), notes=(f"“{' '.join(WORDS)}”",))
    how = f"Where the {per_cent(float(row.weights[row.first]))} comes from"
    return (
        PicturePart("arcs", picture, caption=caption),
        Text(_which(row), "remark"),
        Columns((_question(row, guess), (Tiles(_lines(row), title=how, arranged="lines"),)), COLUMNS),
    )


def _which(row: HomeRow) -> str:
    head = row.decisive
    return (
        f"Layer {head.layer + 1} · head {head.head + 1} of a small trained model. Of its {head.n_heads} "
        "heads, the next word depends most on this head. The thicker an arc, the larger the attention weight."
    )


def _question(row: HomeRow, guess: str) -> tuple[Part, ...]:
    asked = (Text("## Who will be praised?"), Text(f"*{' '.join(WORDS)} …*"), Controls(GUESS))
    return (*asked, *(Text(one) for one in comparison(row, guess)))


def comparison(row: HomeRow, guess: str) -> tuple[str, ...]:
    """Return the model's prediction beside the visitor's, and its relation to the arcs."""
    if not guess:
        return ()
    best = row.expected
    said = f"**{best}**, {p_equals(row.probability(best))}"
    if guess == best:
        return (f"The model expects the same: {said}.", _why(row, best))
    other = f"*{guess}* has {p_equals(row.probability(guess))}"
    return (f"The model expects {said}; {other}.", _why(row, best))


def _why(row: HomeRow, best: str) -> str:
    """Return the effect of the head shown, by the prediction without it."""
    before, after = row.probability(best), row.probability(best, without=True)
    given = f"The arcs bring *{best}* to the last word, with {per_cent(row.weight_of(best))} of its attention"
    if after >= before:
        return f"{given}. Without this head it still has {p_equals(after)}."
    return f"{given}. Without this head, {p_equals(after)} is left of {p_equals(before)}."


def _lines(row: HomeRow) -> tuple[Tile, ...]:
    """Return query · key, softmax, value and the mix as tiles, with the row's numbers and links to views."""
    first, second = row.calculations[row.first], row.calculations[row.second]
    names = [WORDS[row.first], WORDS[row.second]]
    shares = [float(row.weights[at]) for at in (row.first, row.second)]
    rest = max(0.0, 1 - sum(shares))
    said = per_cents([*shares, rest])
    head = {"layer": row.decisive.layer + 1, "head": row.decisive.head + 1}
    cell = head | {"query": ASKS + 1, "key": row.first + 1}
    whole: dict[str, str | int] = {"size": "full", "positions": row.positions, "text": PRAISED, **head}
    asking: dict[str, str | int] = {"form": "one word", "word": ASKS + 1}
    scores = [two_decimals(one.score) for one in (first, second)]
    parts = " + ".join(f"{two_decimals(share)} · {name}" for share, name in zip(shares, names, strict=True))
    return (
        Tile(
            "query · key",
            f"{WORDS[ASKS]} asks: score {scores[0]} for {names[0]}, {scores[1]} for {names[1]} …",
            Link("", "explorer", {"view": "heads", **cell}).path,
        ),
        Tile(
            "softmax",
            f"Shares: {said[0]} {names[0]}, {said[1]} {names[1]}, {said[2]} the others",
            Link("", "step-by-step", {**whole, **asking, "stage": "softmax"}).path,
        ),
        Tile(
            "value",
            f"{names[0]} offers {counted(len(first.v), 'number')}: {_vector(first.v)}",
            Link("", "step-by-step", {**whole, "stage": "v"}).path,
        ),
        Tile(
            "weighted sum",
            f"{parts} + … = {_vector(row.mixed)}",
            Link("", "step-by-step", {**whole, **asking, "stage": "weighted sum"}).path,
        ),
    )


def _vector(numbers: Float[np.ndarray, "d_head"]) -> str:
    return f"[{', '.join(two_decimals(float(one)) for one in numbers[:2])}, …]"


def _guessed(spelling: str) -> str:
    if spelling not in CHOICES:
        raise ValueError(f"it can be {', '.join(CHOICES[:-1])} or {CHOICES[-1]}")
    return spelling


def _named(word: str) -> str:
    return word if word[0].isupper() else f"the {word}"
