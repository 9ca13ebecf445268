"""Steps of a lecture that show a real model, which may not be on this server."""

from collections.abc import Iterable

from core.pretrained import library
from core.sources.pretrained import title_of
from pages.contract.answers import parsed
from pages.lecture.step import Step


def is_absent(link: str) -> bool:
    """Return whether a link shows a real model that is not on this server."""
    _, parameters = parsed(link)
    if parameters.get("model") != ["real"]:
        return False
    titles = {title_of(name) for name in library.models()}
    return not titles.intersection(parameters["real"]) if "real" in parameters else not titles


def without_absent(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return the steps without those whose real model is not on this server."""
    return tuple(step for step in steps if not is_absent(step.link))
