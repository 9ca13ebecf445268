"""Links that show a real model, which may not be on this server."""

from core.pretrained import library
from core.sources.pretrained import title_of
from pages.contract.link_parameters import parsed


def is_absent(link: str) -> bool:
    """Return whether a link shows a real model that is not on this server."""
    _, parameters = parsed(link)
    if parameters.get("model") != ["real"]:
        return False
    titles = {title_of(name) for name in library.models()}
    return not titles.intersection(parameters["real"]) if "real" in parameters else not titles
