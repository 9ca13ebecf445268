"""From a link to a view and its scene: every page asks for the same controls in the same order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from core.model.config import ModelConfig
from core.sources import Pieces, PretrainedInfo, UnavailableError
from core.text.tokenizer import MAX_WORDS, readable, too_long, words_of
from core.unavailable import prefix_unavailable
from pages.contract.ask import SIDEBAR, VIEWS, Ask
from pages.contract.attention import rows_of
from pages.contract.examples import EXAMPLES
from pages.contract.parameter import Parameter
from pages.contract.parameters import in_view
from pages.contract.prose import Typed
from pages.contract.scene import Scene
from pages.contract.switches import Architecture
from pages.contract.view import Page, View


def scene_of(ask: Ask, page: Page) -> tuple[View, Scene]:
    """Return the view that is asked for and its scene. Raises UnavailableError if its model is not there."""
    view = ask_view(ask, page)
    texts = {box.name: readable(text) for box, text in ask_sentences(ask, view)}
    words = {name: tuple(map(Typed, words_of(text))) for name, text in texts.items()}
    if not all(words.values()):
        raise UnavailableError("The sentence is empty: type at least one word.")
    with ask.at(SIDEBAR):
        switches = page.choose(ask, view)
    weights = switches.weights
    if weights.why_not is not None:
        raise weights.why_not
    longest = max(map(len, words.values()), default=0)
    if weights.pretrained is None and longest > MAX_WORDS:
        raise UnavailableError(too_long("Models of the small language read", MAX_WORDS, longest, "word"))
    with ask.at(VIEWS):
        layer, head = ask_layer_and_head(ask, view, switches.config)
    return view, scene_for(view, switches, layer, head, texts)


def ask_view(ask: Ask, page: Page) -> View:
    """Return the view chosen in the row of views."""
    with ask.at(VIEWS):
        return page.views[ask.choice("view", options=list(page.views), hide_label=True)]


def ask_layer_and_head(ask: Ask, view: View, config: ModelConfig) -> tuple[int, int]:
    """Return the layer and the head, counted from 0, from the menus that a view has."""
    layer = head = 1
    if view.about != "model" and config.n_layers > 1:
        usual = min(view.defaults.get("layer", 1), config.n_layers)
        layer = ask.menu("layer", options=range(1, config.n_layers + 1), default=usual)
    if view.about == "head" and (config.n_heads > 1 or "heads" in view.switches):
        usual = min(view.defaults.get("head", 1), config.n_heads)
        head = ask.menu("head", options=range(1, config.n_heads + 1), default=usual)
    return layer - 1, head - 1


def scene_for(view: View, switches: Architecture, layer: int, head: int, texts: Mapping[str, str]) -> Scene:
    """Return the scene of the typed sentences, in the pieces of a real model's vocabulary if it reads them.

    Raises UnavailableError if a sentence is too long for a real model or for the view.
    """
    scene = Scene((), switches, layer, head)
    if not view.sentence:
        return scene
    text, other_text = texts["text"], texts.get("other", "")
    scene = replace(
        scene,
        text=text,
        other_text=other_text,
        usual_real=view.usual_real,
        may_be_random="model" in view.switches and "random" in view.sources,
    )
    if (one := switches.weights.pretrained) is None:
        words, other = (tuple(map(Typed, words_of(said))) for said in (text, other_text))
        return replace(scene, words=words, other=other)
    pieces = _split(one, text, view, switches.config)
    with prefix_unavailable("Second sentence"):
        texts_of_other = _split(one, other_text, view, switches.config).texts if view.other else ()
    words, other = (tuple(map(Typed, said)) for said in (pieces.texts, texts_of_other))
    return replace(scene, words=words, other=other, pieces=pieces, rows=rows_of(pieces))


def ask_sentences(ask: Ask, view: View) -> list[tuple[Parameter, str]]:
    """Return the boxes of a view with their texts; a second box first has the words in another order."""
    if not view.sentence:
        return []
    first = in_view("text", default=view.sentence)
    text = str(ask.parameters.value(first))
    if not view.other:
        return [(first, text)]
    words = readable(text)
    reordered = another_order(words, view.other, *EXAMPLES) if words_of(words) else view.other
    second = in_view("other", default=reordered)
    return [(first, text), (second, str(ask.parameters.value(second)))]


def another_order(text: str, *wanted: str) -> str:
    """Return the first of the `wanted` sentences that has the words of `text` in another order.

    If there is none, reverse the words between the first and the last: views compare the last word, and
    models whose pieces include blanks split the first word in their own way. If that changes nothing, reverse
    all but the last word, or all words. Return `text` if its words have only one order.
    """
    words, parts = words_of(text), text.split()
    between = " ".join((*parts[:1], *parts[-2:0:-1], *parts[1:][-1:]))
    reversals = (between, " ".join((*words[-2::-1], *words[-1:])), " ".join(words[::-1]))
    others = (each for each in (*wanted, *reversals) if words_of(each) != words)
    return next((each for each in others if Counter(words_of(each)) == Counter(words)), text)


def _split(one: PretrainedInfo, text: str, view: View, config: ModelConfig) -> Pieces:
    """Return the model's pieces of a sentence; raises UnavailableError if it is too long."""
    pieces = one.split(text)
    one.check_length(len(pieces.texts), config)
    if len(pieces.texts) > view.pieces:
        limit = too_long("This view draws", view.pieces, len(pieces.texts), "token")
        raise UnavailableError(f"{limit} Shorten it, or choose a view of the explorer that draws more.")
    return pieces
