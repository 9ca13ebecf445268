"""Puts a class in front of the app and prints what it waited for, for more and more students.

`make load SESSIONS="25 50" ACTING=60 WORKERS=2`; a server that runs already is measured with
`python -m bench.load --url http://localhost:8501 --pid PID`, where PID has started all that serve.
"""

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.load.address import Address, on_this_machine
from bench.load.browsers import Pictures, requested, watch
from bench.load.costs import print_costs
from bench.load.crowd import Measured, Plan, crowd
from bench.load.journey import MIXES
from bench.load.processes import Processes
from bench.load.report import HEADS, as_json, breaks_at, by_kind, row, table, wrong
from bench.load.servers import served

MOST_SESSIONS, MOST_SECONDS = 2000, 900
"""Nobody needs more to see where it breaks, and a slip of the hand must not occupy a machine for a day."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the counts that are asked for, one after the other, each with a server of its own."""
    asked = _parser().parse_args(arguments)
    plan = Plan(
        opening=asked.opening,
        acting=asked.acting,
        between=asked.between,
        mix=asked.mix,
        follows=asked.content == "class",
        pauses=asked.pauses,
        seed=asked.seed,
        one_address=not asked.addresses,
    )
    if asked.costs:
        with _server(asked) as (address, processes):
            files = None if asked.no_files else requested(address)
            asyncio.run(print_costs(address, processes, asked.costs, files, asked.seed))
        return
    _say(asked, plan)
    curve = [_measure(asked, n_sessions, plan) for n_sessions in asked.sessions]
    print("\n" + breaks_at([one for one, _ in curve]))
    if asked.out:
        asked.out.write_text(as_json(curve, plan, asked.workers), "utf-8")
        asked.out.with_suffix(".md").write_text(table(curve), "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--sessions", type=_between(1, MOST_SESSIONS), nargs="+", default=[25, 50, 100, 200, 400])
    add("--opening", type=_between(1, MOST_SECONDS), default=30, help="seconds in which all open the link")
    add("--acting", type=_between(1, MOST_SECONDS), default=60, help="seconds in which all act after that")
    add("--between", type=float, default=10, help="seconds from one act to the next, on the average")
    add("--mix", choices=MIXES, default="mixed", help="plain: toggles, heads and sentences only")
    add("--content", choices=("own", "class"), default="own", help="whose sentences are typed")
    add("--pauses", type=_between(0, 9), default=0, help="of somebody who types; the app answers each")
    add("--browsers", type=_between(0, 8), default=2, help="real browsers among the sessions")
    add("--no-files", action="store_true", help="leave out the files of the frontend")
    add("--addresses", action="store_true", help="an address for each session, on Linux")
    add("--workers", type=_between(1, 16), default=1, help="processes that serve, as in make serve")
    add("--url", type=on_this_machine, help="a server that is there, instead of one for each count")
    add("--pid", type=int, help="the process that has started that server, for its cost")
    add("--costs", type=_between(1, 200), help="only what each kind of act costs, so many of each, alone")
    add("--seed", type=int, default=0)
    add("--out", type=Path, help="a file for everything as JSON, and one beside it for the table")
    return parser


def _between(smallest: int, largest: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not smallest <= value <= largest:
            raise argparse.ArgumentTypeError(f"expected {smallest} to {largest}, got {value}")
        return value

    return number


@contextmanager
def _server(asked: argparse.Namespace) -> Iterator[tuple[Address, Processes | None]]:
    if asked.url:
        yield asked.url, Processes(asked.pid) if asked.pid else None
        return
    with served(asked.workers) as server:
        yield server


def _say(asked: argparse.Namespace, plan: Plan) -> None:
    where = asked.url.origin if asked.url else f"{asked.workers} process(es)"
    whose = "the lecturer's" if plan.follows else "each one's own"
    print(
        f"{where}: all open within {plan.opening} s, then {plan.acting} s, an act every {plan.between} s; of "
        f"100 acts {', '.join(f'{n} {kind}' for kind, n in MIXES[plan.mix].items())}; sentences are {whose}."
    )
    print("\n" + "  ".join(HEADS), flush=True)


def _measure(asked: argparse.Namespace, n_sessions: int, plan: Plan) -> tuple[Measured, Pictures]:
    with _server(asked) as (address, processes):
        files = None if asked.no_files else requested(address)
        one, pictures = asyncio.run(_with_browsers(asked, address, n_sessions, plan, processes, files))
    cells = row(one, pictures)
    print("  ".join(f"{cell:>{len(head)}}" for head, cell in zip(HEADS, cells, strict=True)))
    print("\n".join(filter(None, (by_kind(one), wrong(one, pictures)))), flush=True)
    return one, pictures


async def _with_browsers(
    asked: argparse.Namespace,
    address: Address,
    n_sessions: int,
    plan: Plan,
    processes: Processes | None,
    files: Sequence[str] | None,
) -> tuple[Measured, Pictures]:
    seconds = plan.opening + plan.acting
    browsing = asyncio.to_thread(watch, address, asked.browsers, seconds=seconds, between=plan.between)
    one, pictures = await asyncio.gather(crowd(address, n_sessions, plan, processes, files), browsing)
    return one, pictures


if __name__ == "__main__":
    main()
