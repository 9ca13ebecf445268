"""What tests of figures can rely on: none that they draw has an attribute that Plotly does not know."""

from typing import Any

import pytest

from viz.parts import figure_cache
from viz.parts.figure import Figure
from viz.parts.sketch import Sketch


class Checked(Figure):
    """A figure that Plotly has gone through already: opened, it is what came of that.

    To go through it takes longer than to draw it, and nearly every test opens what it draws.
    """

    @classmethod
    def of(cls, figure: Figure) -> "Checked":
        """The same figure. Raises Plotly's error if something in it is wrong."""
        checked, opened = cls(figure.to_dict()), Figure(figure.to_dict())
        assert opened.layout is not None
        checked._opened = opened
        return checked

    def __getattr__(self, name: str) -> Any:
        if name in ("_opened", "_spec", "_is_open") or self._is_open:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        self.__dict__.update(self._opened.__dict__)
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Figure, (self.to_dict(),)


@pytest.fixture(autouse=True)
def open_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plotly's error about a figure becomes that of whoever drew it, and every test draws its own."""
    kept: dict[bytes, bytes] = {}
    monkeypatch.setattr(
        figure_cache, "_recall", lambda key, draw: kept.get(key) or kept.setdefault(key, draw())
    )
    finish = Sketch.finished
    monkeypatch.setattr(Sketch, "finished", lambda sketch: Checked.of(finish(sketch)))
