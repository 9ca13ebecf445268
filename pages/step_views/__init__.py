"""The parts of the page, in the order of its row of parts; each is given a Scene.

A part draws itself and gives back what writes the program behind it.
"""

from collections.abc import Callable

from pages.step_views.one_head import one_head
from pages.step_views.scene import Scene

PARTS: dict[str, Callable[[Scene], Callable[[], str]]] = {"one head": one_head}
