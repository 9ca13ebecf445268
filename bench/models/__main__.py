"""Measure a model of GPT-2's size against its peers and write a report, in half an hour.

`python -m bench.models forward` or `pictures` measures that part alone and prints it.
"""

import json
import sys
from pathlib import Path

from bench.models import peers
from bench.models.pictures import Picture, measured
from bench.models.report import page
from tests.browser import chromium

REPORT = Path(__file__).parents[1] / "reports" / "models.md"


def main() -> None:
    """Make the environment of the peers, measure, print, and write the report if all was measured."""
    peers.make()
    asked = sys.argv[1:] or ["forward", "pictures"]
    pictures = _pictures() if "pictures" in asked else []
    forward = json.loads(peers.ask("forward")) if "forward" in asked else {}
    if forward:
        text = page(forward, pictures)
        print(text)
        if pictures:
            REPORT.write_text(text, "utf-8")
    else:
        print(*pictures, sep="\n")


def _pictures() -> list[Picture]:
    path = chromium.find()
    if path is None:
        sys.exit(f"The pictures need one of {', '.join(chromium.NAMES)} on the PATH.")
    with chromium.launched(path) as browser:
        return measured(browser)


if __name__ == "__main__":
    main()
