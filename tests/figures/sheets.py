"""Small jobs for tests."""

from typing import Any

from figures.rendering.job import Job, Plot, SheetFrame

HOSTILE = "a ]]> <script>alert(1)</script> & \"'` \x07 ../../etc/passwd =1+1 中文"


def frame(**changes: Any) -> SheetFrame:
    """Return a frame 400 × 300 pixels large with a title and a line below."""
    usual: dict[str, Any] = {
        "width": 400,
        "height": 300,
        "margin": 10,
        "title": ("Attention weights",),
        "title_type": 20,
        "caption": ("“hot tea” · trained weights",),
        "caption_type": 12,
        "paper": "#FFFFFF",
        "ink": "#16202A",
        "muted": "#5B6875",
    }
    return SheetFrame(**usual | changes)


def plot(**changes: Any) -> Plot:
    """Return a bar chart with two words, 200 × 100 pixels."""
    layout = {"margin": {"l": 20, "r": 10, "t": 10, "b": 20}, "font": {"family": "Source Sans"}}
    bars = {"type": "bar", "x": ["hot", "tea"], "y": [0.25, 0.75]}
    usual: dict[str, Any] = {"figure": {"data": [bars], "layout": layout}, "width": 200, "height": 100}
    return Plot(**usual | changes)


def job(*formats: Any, **changes: Any) -> Job:
    """Return a job for such a chart."""
    usual: dict[str, Any] = {
        "drawn": plot(),
        "frame": frame(),
        "provenance": {"link": "/masking", "title": "T"},
    }
    return Job(formats=formats, **usual | changes)
