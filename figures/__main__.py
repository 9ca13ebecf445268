"""Saves the pictures of links as files, without a server.

python -m figures "/explorer?view=heads&text=the cat sat" --format svg,pdf,pptx --out figures
python -m figures --all --format svg --theme dark --out figures
python -m figures --link FILE
"""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from tqdm import tqdm

from core.words import counted
from figures.archive import free_name
from figures.every_view import every_view
from figures.files import undrawn_warning
from figures.order import KINDS, SCALES, Kind, NothingToSaveError, Order, OrderError, order_of
from figures.preset import PRESETS
from figures.rendering.exporter import Exporter, NotingExporter
from figures.rendering.marks import remembered
from figures.saving import Failure, files_of
from viz.theme import THEMES

PIXELS_OR_PAPER: set[Kind] = {"png", "pdf", "pptx", "zip"}
"""Formats whose letters are drawn on this machine."""


def main(arguments: Sequence[str], exporter: Exporter | None = None) -> int:
    """Save what is asked for; 1 if something could not be, and then it is said why."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.link is not None:
        return _say_link(asked.link)
    if bool(asked.links) == asked.all:
        parser.error("name links, or --all of them")
    try:
        orders, kinds = _orders(asked), _kinds(asked)
    except OrderError as error:
        parser.error(str(error))
    with closing(Exporter()) if exporter is None else nullcontext(exporter) as warm:
        noting = NotingExporter(warm)
        failures = _save(orders, kinds, noting, asked)
    if noting.undrawn and set(kinds) & PIXELS_OR_PAPER:
        print(undrawn_warning(noting.undrawn), file=sys.stderr)
    return _report(failures, is_lenient=asked.all)


def _parser() -> ArgumentParser:
    """What can be said on the command line."""
    parser = ArgumentParser("figures", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    say = parser.add_argument
    say("links", nargs="*", metavar="LINK", help="a link of the app, with or without its server")
    say("--all", action="store_true", help="every view as it opens")
    say("--key", default="", metavar="PICTURE", help="the key of one picture; of a wrong one all are told")
    say("--link", type=Path, metavar="FILE", help="print the link that a file was made of; CSV knows none")
    say("--format", default="svg", help=f"one or several of {', '.join(KINDS)}, with commas (svg)")
    say("--preset", default="slide", choices=PRESETS)
    say("--theme", default="light", choices=THEMES)
    say("--scale", default="2", choices=[str(scale) for scale in SCALES], help="dots a pixel, of PNG")
    say("--qr", action="store_true", help="with a QR code of the link")
    say("--transparent", action="store_true", help="without paper")
    say("--no-title", action="store_true", help="the picture alone, without title and caption")
    say("--origin", default="", metavar="URL", help="the server of links that name none")
    say("--out", type=Path, default=Path(), metavar="DIR", help="where the files go (here)")
    return parser


def _say_link(file: Path) -> int:
    try:
        print(remembered(file.read_bytes())["link"])
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _orders(asked: Namespace) -> list[tuple[Order, str]]:
    """What is ordered of each link, and the server that it leads to. Raises OrderError."""
    style = {name: getattr(asked, name) for name in ("key", "preset", "theme", "scale")}
    style |= {name: str(int(getattr(asked, name))) for name in ("qr", "transparent")}
    style["title"] = str(int(not asked.no_title))
    orders = []
    for whole in asked.links or every_view():
        try:
            parts = urlsplit(whole)
        except ValueError as error:
            raise OrderError(f"This is no link: {whole[:200]}") from error
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else asked.origin.rstrip("/")
        link = whole.removeprefix(f"{parts.scheme}://{parts.netloc}")
        if asked.qr and not origin:
            raise OrderError("A QR code needs a server to lead to: name it by --origin.")
        orders.append((replace(order_of({**style, "link": link}), strict=True), origin))
    return orders


def _kinds(asked: Namespace) -> list[Kind]:
    """The kinds of files, each once. Raises OrderError for what there is not."""
    names = dict.fromkeys(name.strip() for name in asked.format.split(","))
    return [order_of({"link": "/", "format": name}).kind for name in names]


def _save(
    orders: Sequence[tuple[Order, str]], kinds: Sequence[Kind], exporter: Exporter, asked: Namespace
) -> list[Failure]:
    """Write all files, none over another one of this run, and give back what could not be made."""
    asked.out.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    n_former = 0
    failures: list[Failure] = []
    with tqdm(orders, unit="link", disable=None) as progress:
        for order, origin in progress:
            progress.set_postfix_str(order.link[:40])
            for one in files_of(order, kinds, exporter, origin=origin):
                if isinstance(one, Failure):
                    failures.append(one)
                else:
                    path = asked.out / free_name(one.name, taken)
                    n_former += path.exists()
                    path.write_bytes(one.content)
    former = f", {n_former} of them overwritten" if n_former else ""
    print(f"{counted(len(taken), 'file')} in {asked.out}{former}")
    return failures


def _report(failures: Sequence[Failure], *, is_lenient: bool) -> int:
    """Say what failed and why; that a view has nothing to save is no failure where all were asked for."""
    is_bare = [is_lenient and isinstance(one.why, NothingToSaveError) for one in failures]
    bare = [one for one, so in zip(failures, is_bare, strict=True) if so]
    failed = [one for one, so in zip(failures, is_bare, strict=True) if not so]
    for title, those in {"Nothing to save": bare, "Not made": failed}.items():
        if those:
            print(f"{title}:", *those, sep="\n  ", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
