"""Numbers in LaTeX, where a nonzero value never prints as 0; and short formulas as characters."""

import re

GAP, FRACTION, COMMAND, ROOT, RAISED = (
    re.compile(r"\\[,;:!]"),
    re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"),
    re.compile(r"\\([a-zA-Z]+)"),
    re.compile(r"√\s*(?:\{(\w+)\})?"),
    re.compile(r"(?:(?<!\s)\s+)?[_^]."),
)
LOOK = re.compile(r"\\(?:mathrm|mathbf|mathit|mathsf|text|operatorname)\{([^{}]*)\}")
SIZE = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)(?![a-zA-Z])\.?")
SIGNS = {"cdot": "·", "times": "×", "top": "⊤", "alpha": "α", "sqrt": "√", "sum": "∑", "infty": "∞"}
BARE_ROOT = re.compile(r"\\sqrt\{(\w+)\}")
HIGH_AND_LOW = {"^⊤": "ᵀ", "_j": "ⱼ", "_i": "ᵢ", "_1": "₁", "_2": "₂", "^2": "²"}


def decimal(number: float, places: int = 3) -> str:
    """Return a number with `places` decimals, or times a power of ten if these would all be zeros."""
    shown = f"{number:z.{places}f}"  # z: a rounded zero without a sign
    return shown if number == 0 or float(shown) != 0 else power(number, digits=places)


def power(number: float, *, digits: int = 3) -> str:
    """Return a number with `digits` digits, times a power of ten."""
    mantissa, exponent = f"{number:.{digits - 1}e}".split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def as_text(latex: str) -> str:
    r"""Return a short formula in characters where they exist: `q · hⱼ` for `q \cdot h_j`."""
    text = LOOK.sub(r"\1", SIZE.sub("", GAP.sub(" ", latex)))
    text = FRACTION.sub(r"(\1) / \2", BARE_ROOT.sub(r"\\sqrt \1", text))
    text = COMMAND.sub(lambda said: SIGNS.get(said[1], said[1]), text)
    text = ROOT.sub(lambda said: f"√{said[1] or ''}", text)
    return " ".join(RAISED.sub(lambda said: HIGH_AND_LOW.get(said[0], said[0]), text).split())
