"""Takes the README's picture: the explorer as it opens, in the light theme and without a mouse over it."""

import sys
from pathlib import Path

from tests.browser import chromium
from tests.browser.server import serving
from tests.browser.visitor import Visitor


def main(target: Path) -> None:
    """Write what a visitor with a window of 1400 × 900 sees first to `target`, a PNG file."""
    path = chromium.find()
    if path is None:
        sys.exit(f"A screenshot needs one of {', '.join(chromium.NAMES)} on the PATH.")
    with chromium.launched(path) as browser, serving() as server:
        visitor = Visitor(browser, server, theme="light", viewport=(1400, 900))
        visitor.open("/explorer")
        visitor.check()
        visitor.screenshot(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
