"""Memory of the app: `python -m bench.memory` measures it and writes a report.

One process serves. Its memory is its resident memory; the browser's is proportional (PSS), because its
processes share pages.
"""

import argparse
import asyncio
import urllib.request
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlencode

from bench.abandoned import LONGEST, answered, socket
from bench.load.tab import Tab
from bench.processes import megabytes, status_bytes
from bench.tables import table
from core.memory import MB
from tests.browser.server import ROOT, Server, serving

REPORT = ROOT / "bench" / "reports" / "memory.md"
SMOLLM2 = {"model": "real", "real": "SmolLM2 135M"}
SENTENCE = "Zuko met Maria near the stores"


async def _opened(server: Server, stack: AsyncExitStack, n_pages: int, **query: str) -> None:
    """Open pages of the explorer one after the other and leave them open until the stack is closed."""
    for number in range(n_pages):
        tab = Tab(
            server.address, "explorer", urlencode({"text": SENTENCE + " again" * (number % 9), **query})
        )
        stream = await stack.enter_async_context(socket(server))
        answer = await answered(stream, tab, tab.open())
        if answer.problems:
            raise RuntimeError(f"a page has failed: {answer.problems}")


def _save_figure(server: Server) -> None:
    order = urlencode({"link": "/explorer", "format": "png"})
    with urllib.request.urlopen(f"{server.address}/figures/file?{order}", timeout=LONGEST) as answer:
        answer.read()


async def measured(n_pages: int) -> dict[str, float]:
    """Return the megabytes of each row of the table by its name, in order. Raises RuntimeError."""
    found: dict[str, float] = {}
    with serving() as server:

        def now() -> float:
            return status_bytes("VmRSS", server.process.pid) / MB

        found["process after its start"] = now()
        async with AsyncExitStack() as pages:
            await _opened(server, pages, 1)
            found["after the first visit"] = before = now()
            await _opened(server, pages, n_pages)
            found[f"with {n_pages} more pages open"] = after = now()
            found["each page"] = (after - before) / n_pages
            await _opened(server, pages, 1, **SMOLLM2)
            found["SmolLM2 and its weights, besides"] = now() - after
            before = megabytes(server.process.pid)
            await asyncio.to_thread(_save_figure, server)
            found["browser that draws figures, besides"] = megabytes(server.process.pid) - before
    return found


def main() -> None:
    """Measure, print the table and write it."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--pages", type=int, default=50, help="pages that are open at once")
    parser.add_argument("--out", type=Path, default=REPORT, help="the file for the report")
    asked = parser.parse_args()
    found = asyncio.run(measured(asked.pages))
    rows = ((name, f"{mb:,.{0 if mb >= 10 else 1}f}") for name, mb in found.items())
    said = table(("one process of the app", "MB"), rows)
    print(said, flush=True)
    about = f"`python -m bench.memory`, with torch {version('torch')}."
    asked.out.write_text(f"# Memory of a process\n\n{about}\n\n{said}", "utf-8")


if __name__ == "__main__":
    main()
