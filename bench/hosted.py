"""Memory of the app on a small host: `python -m bench.hosted` opens every page and prints the peak.

It starts the app of Community Cloud, and fails if the process takes more than the limit, in MB.
"""

import argparse
import sys

from bench.browser import WINDOW
from bench.processes import status_bytes
from core.memory import MB
from pages import GROUPS
from tests.browser import chromium
from tests.browser.server import ROOT, serving
from tests.browser.visitor import Visitor


def main() -> int:
    """Measure, and return 1 if the app takes more than the limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.hosted", description=__doc__)
    parser.add_argument("--limit", type=int, default=1000, help="MB that the app may take")
    asked = parser.parse_args()
    path = chromium.find()
    if path is None:
        sys.exit(f"The measurement needs one of {', '.join(chromium.NAMES)} on the PATH.")
    entries = [entry for entries in GROUPS.values() for entry in entries]
    script = ROOT / "deploy" / "cloud" / "streamlit_app.py"
    with serving(script) as server, chromium.launched(path) as browser:
        visitor = Visitor(browser, server, theme="light", viewport=WINDOW)
        for entry in entries:
            visitor.open(f"/{entry.address}")
        visitor.leave()
        most = status_bytes("VmHWM", server.process.pid) // MB
    print(f"{len(entries)} pages: at most {most:,} MB")
    return int(most > asked.limit)


if __name__ == "__main__":
    sys.exit(main())
