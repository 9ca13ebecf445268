"""Layer norm: each token is normalised by its own mean and standard deviation."""

from collections.abc import Mapping
from math import isfinite

from core.measures.blocks.norms import Normalised, normalised, places
from pages.contract.ask import Ask
from pages.contract.examples import MARIA
from pages.contract.loading import loaded, measured
from pages.contract.prose import Typed
from pages.contract.question import Estimate
from pages.contract.question_builders import mistakes
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Formula, PicturePart, Program, Sheet, Text, chooses
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from viz.spreads import Spreads, Statistics, VectorBars
from viz.tables import word_label
from viz.theme import Role
from words import distance, signed, two_decimals

NO_NORM = "This model has no layer norm. The charts show what layer norm would do at the place of pre-norm."
GAIN = "A gain and a bias, the same for all words, then scale and shift every dimension."
LN = (
    r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i}, \quad "
    r"\hat\mu_i = \tfrac{1}{d}\sum_j h_{ij}, \quad "
    r"\hat\sigma_i^2 = \tfrac{1}{d}\sum_j (h_{ij} - \hat\mu_i)^2"
)
LN_ADDS = "10⁻⁵ is added to the variance, so that nothing is divided by 0"

ALONE = "There is no other word: type a second one to see that each word is normalised by itself."

BARS = "## Bar: mean ± standard deviation, line across it: mean"
"""Heading of the bars of all words."""

ROLES: Mapping[str, Role] = {
    "before": "recurrence",
    "after": "attention",
    "with gain and bias": "value",
}
"""The colours of the stages."""

Pair = tuple[float, float]
"""Mean and standard deviation."""


@view(question="What does layer norm do to a word's vector?", sentence=MARIA, switches=WITHOUT_WINDOW)
def layer_norm(ask: Ask, scene: Scene) -> Sheet:
    """Show mean and standard deviation of every word before and after layer norm, and one word's vector."""
    switches = scene.switches
    has_norm, names = switches.config.norm != "none", places(switches.config)
    where = ask.menu("norm_at", options=names, width=330)
    word = ask.word("word", scene.words, unchosen="first") or 0
    others, at = ask.switch("others"), names.index(where)
    plain = measured(normalised, loaded, scene.words, switches, place=at, kept=None)
    shown = measured(normalised, loaded, scene.words, switches, place=at, kept=word) if others else plain
    before, after = statistics_of(shown, word)
    name = scene.unique_names[word]
    return Sheet(
        headline=headline(name, where, before, after, has_norm=has_norm),
        notes=() if has_norm else (Text(NO_NORM, "info"),),
        unknown=shown.unknown,
        parts=(
            Columns(
                (
                    (Text(BARS), _statistics(shown, scene, word, is_hall=ask.look.fills)),
                    _vector(shown, scene, word),
                ),
                (3, 2),
                alone=True,
            ),
            Text(
                independence(name, plain.change(shown, word) if others else None)
                if len(scene.words) > 1
                else ALONE
            ),
            Formula(LN, LN_ADDS),
            *((Text(GAIN),) if has_norm else ()),
        ),
        questions=lambda: (
            deviation_after(name, before, after[1]),
            static_question("other_words") if len(scene.words) > 1 else None,
        ),
        program=lambda: Program.calling(
            f"Mean and standard deviation of every word, {where}.",
            normalised,
            scene.subject.call,
            place=at,
            kept=word if others else None,
            shows=(".statistics()",),
        ),
    )


def statistics_of(shown: Normalised, word: int) -> tuple[Pair, Pair]:
    """Return mean and standard deviation of a word before layer norm and after it."""
    before, after = (shown.statistics()[stage] for stage in ("before", "after"))
    return (before[0][word], before[1][word]), (after[0][word], after[1][word])


def headline(name: str, where: str, before: Pair, after: Pair, *, has_norm: bool) -> str:
    """Return how a layer norm changes the statistics of a word."""
    layer, place = where.split(", ")
    (mean, deviation), (new_mean, new_deviation) = before, after
    does = "changes" if has_norm else "would change"
    return (
        f"{place.capitalize()} in {layer}, layer norm {does} the mean of *{name}*'s vector from "
        f"{signed(mean)} to {signed(new_mean)}, and its standard deviation from {deviation:.2f} to "
        f"{new_deviation:.2f}."
    )


def independence(name: str, change: float | None) -> str:
    """Return how the other words affect the statistics of a word; `change` is None while none is changed."""
    bar = "A bar reaches from one standard deviation below the mean of a word's vector to one above it."
    if change is None:
        return f"{bar} Press *Change all other words* to see that each word is normalised by itself."
    return (
        f"{bar} All other vectors were multiplied by 3 and shifted by 1: the statistics of **{name}** "
        f"changed by **{distance(change)}**."
    )


def _statistics(shown: Normalised, scene: Scene, word: int, *, is_hall: bool) -> PicturePart:
    """Draw every word around layer norm; the lecture hall sees no chosen word, gain and bias."""
    stages = {name: Statistics(*both) for name, both in shown.statistics().items()}
    if is_hall or scene.switches.config.norm == "none":
        del stages["with gain and bias"]
    picture = Spreads(
        stages=stages,
        colours=ROLES,
        words=scene.marked(shown.unknown),
        title="Mean and standard deviation of every word around layer norm",
        chosen=None if is_hall else word,
    )
    return PicturePart("tokens", picture, on_click=chooses("word"))


def _vector(shown: Normalised, scene: Scene, word: int) -> tuple[PicturePart, Text]:
    vectors = {"before": shown.before[word], "after": shown.after[word]}
    title = f"Vector of {word_label(scene.plain, word)} before and after layer norm"
    said = (
        f"The {len(vectors['before'])} dimensions of *{scene.unique_names[word]}*, their mean and standard "
        "deviation."
    )
    return PicturePart("vector", VectorBars(stages=vectors, colours=ROLES, title=title)), Text(said, "remark")


def deviation_after(word: Typed, before: Pair, after: float) -> Estimate | None:
    """Ask for the standard deviation that layer norm leaves; None if it was about that before."""
    mean, deviation = before
    if not isfinite(deviation) or abs(deviation - after) < 0.05:
        return None
    return Estimate(
        text=(
            f"The numbers of *{word}* have the mean {signed(mean)} and the standard deviation "
            f"{two_decimals(deviation)}. What is the standard deviation after layer norm, before gain "
            "and bias?"
        ),
        right=after,
        bounds=(0, max(10.0, 2 * deviation)),
        decimals=2,
        near=0.05,
        because="Layer norm subtracts the mean and divides by the standard deviation.",
        mistaken=mistakes(
            after, (0.0, "That is the mean after layer norm, not the standard deviation."), near=0.05
        ),
    )
