"""Put a class in front of the app and print its waiting times, for more and more students.

`make load SESSIONS="25 50" ACTING=60 WORKERS=2`; to measure a running server use `python -m bench.load --url
http://localhost:8501 --pid PID`, where PID has started all processes that serve.
"""

import argparse
import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from bench.load.browsers import requested, watch
from bench.load.costs import print_costs
from bench.load.crowd import crowd
from bench.load.journey import MIXES, Plan
from bench.load.records import Measured
from bench.load.report import as_json, breaks_at, by_kind, row, table, wrong
from bench.load.room import measure
from bench.load.target import Target, on_this_machine, served

MOST_SESSIONS, MOST_SECONDS = 2000, 900
"""Limits that show where it breaks, and keep a typing error from occupying a machine for a day."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the requested counts one after the other, each with a separate server."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.costs:
        if asked.url and not asked.pid:
            parser.error("whose cost? name the process that has started the server with --pid")
        with _server(asked) as target:
            asyncio.run(print_costs(target, asked.costs, _files(asked, target), asked.seed))
        return
    if asked.phones:
        print(table([measure(count, asked.workers, asked.base) for count in asked.phones]))
        return
    plan = Plan(
        opening=asked.opening,
        acting=asked.acting,
        between=asked.between,
        mix=asked.mix,
        follows=asked.content == "class",
        pauses=asked.pauses,
        seed=asked.seed,
    )
    print(f"{asked.url.address if asked.url else f'{asked.workers} process(es)'}: {plan}", flush=True)
    curve = [_measure(asked, n_sessions, plan) for n_sessions in asked.sessions]
    print(f"\n{table([row(one) for one in curve])}\n\n{breaks_at(curve)}")
    if asked.out:
        asked.out.write_text(as_json(curve, plan, asked.workers), "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--sessions", type=_between(1, MOST_SESSIONS), nargs="+", default=[25, 50, 100, 200, 400])
    add("--opening", type=_between(1, MOST_SECONDS), default=30, help="seconds in which all open the link")
    add("--acting", type=_between(1, MOST_SECONDS), default=60, help="seconds in which all act after that")
    add("--between", type=float, default=10, help="average seconds from one act to the next")
    add("--mix", choices=MIXES, default="mixed", help="plain: toggles, heads and sentences only")
    add("--content", choices=("own", "class"), default="own", help="new sentences, or those of the lecture")
    add("--pauses", type=_between(0, 9), default=0, help="pauses in typing; the app answers each")
    add("--browsers", type=_between(0, 8), default=2, help="real browsers among the sessions")
    add("--no-files", action="store_true", help="leave out the files of the frontend")
    add("--workers", type=_between(1, 16), default=1, help="processes that serve, as in make serve")
    add("--base", default="", help="base path, such as /lab")
    add("--url", type=on_this_machine, help="a running server, instead of a new one for each count")
    add("--pid", type=int, help="process that started that server, to measure its cost")
    add("--costs", type=_between(1, 200), help="only the cost of each kind of act, over this many acts")
    add("--phones", type=_between(1, MOST_SESSIONS), nargs="+", help="only phones that answer in a room")
    add("--seed", type=int, default=0)
    add("--out", type=Path, help="JSON file for all measurements")
    return parser


def _between(smallest: int, largest: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not smallest <= value <= largest:
            raise argparse.ArgumentTypeError(f"expected {smallest} to {largest}, got {value}")
        return value

    return number


def _server(asked: argparse.Namespace) -> AbstractContextManager[Target]:
    return nullcontext(replace(asked.url, pid=asked.pid)) if asked.url else served(asked.workers, asked.base)


def _files(asked: argparse.Namespace, target: Target) -> list[str] | None:
    return None if asked.no_files else requested(target)


def _measure(asked: argparse.Namespace, n_sessions: int, plan: Plan) -> Measured:
    with _server(asked) as target:
        one = asyncio.run(_with_browsers(asked, target, n_sessions, plan, _files(asked, target)))
    print("", table([row(one)]), "", table(by_kind(one)), *wrong(one), sep="\n", flush=True)
    return one


async def _with_browsers(
    asked: argparse.Namespace, target: Target, n_sessions: int, plan: Plan, files: Sequence[str] | None
) -> Measured:
    seconds = plan.opening + plan.acting
    browsing = asyncio.to_thread(watch, target, asked.browsers, seconds=seconds, between=plan.between)
    one, pictures = await asyncio.gather(crowd(target, n_sessions, plan, files), browsing)
    return replace(one, pictures=pictures)


if __name__ == "__main__":
    main()
