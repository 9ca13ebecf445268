"""Which links to `/` open the home: it was the explorer's address once, and links of then open that."""

from pages.contract.sheet import Link
from pages.controls.parameters import is_foreign
from pages.controls.parameters.home import HOME

OF_HOME = (*(one.name for one in HOME), "arcs_table", "lecture", "cover")
"""The parameters of the home, which no link to the explorer had when that was at its address."""

ITS_VIEW = "home"


def opens_home(link: Link) -> bool:
    """Whether a link to `/` with these parameters means the home; else it was made for the explorer."""
    return all(
        name in OF_HOME or is_foreign(name) or (name, list(values)) == ("view", [ITS_VIEW])
        for name, values in link.items()
    )
