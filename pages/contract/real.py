"""Real models among the weights: which are there, how large they are, and which switches they fix."""

from collections.abc import Sequence

from core.pretrained import library
from core.pretrained.library import FolderSummary
from core.sources import PretrainedInfo, find
from core.sources.pretrained import USUAL, about, is_large, is_loaded, known_models, source_name, title_of
from pages.contract.ask import Ask
from pages.contract.items import Button, Hub, LoadButton
from pages.contract.link_parameters import LinkParameters, parsed
from pages.contract.prose import literal
from pages.contract.sheet import Text
from words import memory

REAL = "real"
KEPT_ELSEWHERE = "This view shows models of the small language. {} is chosen again on views that can show it."

UNNAMED = "The real model"
"""Name of the usual model, which depends on the view."""

ENCODER = (
    "It has an encoder and a decoder. This page shows its encoder, which reads one sentence. The "
    "page *Translation* shows its decoder, under *cross-attention*."
)


def is_asked_for(parameters: LinkParameters) -> bool:
    """Return whether the link asks for a real model; its control need not be drawn."""
    return parameters.spelling("model") == REAL


def real_source(ask: Ask, usual: str = USUAL) -> str:
    """Return the source with the real model of a menu, at first the `usual` one, loaded if possible."""
    source = source_name(real_model(ask, offered(usual)))
    one = find(source).pretrained
    if one is not None and not one.whole:
        ask.caption(ENCODER)
    ask.add(Hub())
    return source


def offered(usual: str) -> tuple[str, ...]:
    """Return the models that are there or that set-up fetches, the `usual` one first."""
    return tuple(dict.fromkeys([usual, *known_models()]))


def real_model(ask: Ask, offered: Sequence[str]) -> str:
    """Return the name of the model chosen in a menu of those `offered`, loaded if possible."""
    names = {title_of(name): name for name in reversed(offered)}
    titles = list(names)[::-1]
    name = names[ask.menu("real", options=titles, width="stretch")]
    known = about(name)
    if known is not None:
        ask.caption(described(known))
        if is_large(name):
            ask.add(LoadButton(name))
        if not is_loaded(name):
            with ask.parameters.loading(title_of(name)):
                find(source_name(name))
    return name


def note_kept_elsewhere(ask: Ask, control: str = "model") -> frozenset[str]:
    """Note that a real model chosen elsewhere is kept; return the parameters that the note covers."""
    if ask.parameters.spelling(control) != REAL:
        return frozenset()
    title = ask.parameters.spelling("real")
    ask.note(Text(KEPT_ELSEWHERE.format(literal(title) if title else UNNAMED), "info"))
    return frozenset({control, "real"})


def why_fixed(one: PretrainedInfo, field: str) -> str:
    """Return the reason why a switch cannot be changed for this model."""
    if field == "n_heads":
        number = f"{one.config.n_heads} heads: any other number would divide its vectors differently"
        return f"{literal(one.title)} was trained with {number}."
    return f"{literal(one.title)} was trained with this alone, and has no weights for anything else."


def real_button(usual: str = USUAL) -> Button | None:
    """Return a button to the `usual` real model, or to another that can read; None if there is none."""
    known = ((name, about(name)) for name in offered(usual))
    name = next((name for name, one in known if one is not None and not one.lacks), None)
    if name is None:
        return None
    title = title_of(name)
    return Button(
        f"Read it with {literal(title)}, which takes any word",
        {"model": REAL, "real": title},
        key="known_real",
        tertiary=True,
    )


def is_absent(link: str) -> bool:
    """Return whether a link shows a real model that is not on this server."""
    _, parameters = parsed(link)
    if parameters.get("model") != [REAL]:
        return False
    titles = {title_of(name) for name in library.models()}
    return not titles.intersection(parameters["real"]) if "real" in parameters else not titles


def described(known: FolderSummary) -> str:
    """Return the description of a model before it is loaded."""
    return (
        f"{known.family} family, {n_parameters(known.n_parameters)} parameters: "
        f"{memory(known.on_disk)} on disk, {memory(known.in_memory)} in memory."
    )


def n_parameters(n: int) -> str:
    """Return a number of parameters in words."""
    if n < 1e5:
        return f"{n:,}"
    return f"{n / 1e9:.1f} billion" if n >= 1e9 else f"{n / 1e6:.1f} million"
