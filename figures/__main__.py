"""Save the pictures of links as files, without a server.

python -m figures "/explorer?view=heads" --text "the cat sat" --format svg,pdf,pptx --out figures
python -m figures --all --format pdf --width 77mm --theme grey --out figures
python -m figures --notes --out figures
python -m figures --link FILE ...
"""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tqdm import tqdm

from figures.export import NOT_AGAIN, Failure, File, files, free_name, undrawn_warning
from figures.export_request import (
    KINDS,
    SCALES,
    USUAL_SCALE,
    ExportRequest,
    ExportRequestError,
    Kind,
    NothingToSaveError,
    UnknownNameError,
    parse_export_request,
)
from figures.preset import PRESETS
from figures.rendering.exporter import Exporter, NotingExporter
from figures.rendering.marks import read_provenance
from pages.contract.view import every_view
from pages.lecture.step import path_of
from pages.path.stops import NOTES
from viz.theme import THEMES
from words import counted

PIXELS_OR_PAPER: set[Kind] = {"png", "pdf", "pptx", "zip"}
"""Formats whose letters are drawn on this machine."""

USAGE = "python -m figures LINK ... [options], or --help"


def main(arguments: Sequence[str], exporter: Exporter | None = None) -> int:
    """Save the pictures of links; return 1 if some could not be made, 2 if the command asks for none."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.link:
        return _print_links(asked.link)
    if bool(asked.links) + asked.all + asked.notes != 1:
        parser.error("name links, or use --all or --notes")
    if asked.notes:
        asked = _notes_asked(parser, arguments)
    try:
        names = dict.fromkeys(map(str.strip, asked.format.split(",")))
        kinds = [parse_export_request({**vars(asked), "link": "/", "format": name}).kind for name in names]
        requests = list(_requests(asked))
        asked.out.mkdir(parents=True, exist_ok=True)
    except ExportRequestError as error:
        parser.error(str(error))
    except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
        parser.error(f"The folder {asked.out} cannot be made: {_reason(error)}.")
    with closing(Exporter()) if exporter is None else nullcontext(exporter) as warm:
        noting = NotingExporter(warm)
        n_files, failures = _save(requests, kinds, noting, asked.out)
    if noting.undrawn and set(kinds) & PIXELS_OR_PAPER:
        print(undrawn_warning(noting.undrawn), file=sys.stderr)
    return _report(failures, n_files, is_lenient=asked.all)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "figures", usage=USAGE, description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("links", nargs="*", metavar="LINK", help="a link of the app, with or without its server")
    add("--all", action="store_true", help="every view as it opens")
    add(
        "--notes",
        action="store_true",
        help="the notes of the path for printing: a PDF in grey, or in colour with --theme light",
    )
    add("--text", metavar="SENTENCE", help="the sentence for the links, as typed on the page")
    add("--key", default="", metavar="PICTURE", help="the key of one picture; a wrong key lists all keys")
    add("--link", type=Path, nargs="+", action="extend", metavar="FILE", help="print the link of each file")
    add("--format", default="svg", help=f"one or more of {', '.join(KINDS)}, separated by commas (svg)")
    add("--preset", default="slide", help=f"one of {', '.join(PRESETS)} (slide)")
    add("--width", default="", help="the width of a printed figure instead of a preset, such as 77mm or 3in")
    add("--theme", default="light", help=f"one of {', '.join(THEMES)} (light)")
    add("--scale", default=str(USUAL_SCALE), help=f"dots per pixel of a PNG: {', '.join(map(str, SCALES))}")
    switch = partial(add, action="store_const", const="1", default="")
    switch("--qr", help="add a QR code of the link")
    switch("--transparent", help="a transparent background")
    switch("--no-title", dest="title", const="0", help="the picture alone, without title and caption")
    add("--origin", default="", metavar="URL", help="the server for links that name none")
    add(
        "--out",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder for the files (the current folder)",
    )
    return parser


def _notes_asked(parser: ArgumentParser, arguments: Sequence[str]) -> Namespace:
    """Parse the arguments again for the notes, whose default is a PDF in greys."""
    parser.set_defaults(format="pdf", theme="grey")
    asked = parser.parse_args(arguments)
    if asked.text is not None or asked.key:
        parser.error("--notes cover the whole path: they take no --text and no --key")
    asked.links, asked.key = ["/"], NOTES
    return asked


def _print_links(files: Sequence[Path]) -> int:
    """Print the link of each file on a line; return 1 if a file has none."""
    failed = False
    for file in files:
        try:
            found = read_provenance(file.read_bytes())
            print(found.get("link") or found["call"])
            if "moment" in found:
                print(f"{file}: {found['moment']}. {NOT_AGAIN}", file=sys.stderr)
        except (OSError, ValueError) as error:
            failed = True
            print(f"{file}: {_reason(error)}", file=sys.stderr)
    return int(failed)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _requests(asked: Namespace) -> Iterator[tuple[ExportRequest, str]]:
    """Yield the request of each link, and the server that the link leads to. Raises ExportRequestError."""
    if asked.origin and not asked.origin.startswith(("https://", "http://")):
        raise ExportRequestError("--origin is the address of a server, such as https://lab.example.")
    for whole in asked.links or links_of_views():
        try:
            parts = urlsplit(whole)
        except ValueError as error:
            raise ExportRequestError(f"This is not a link: {whole[:200]}") from error
        link, origin = whole, asked.origin.rstrip("/")
        if parts.netloc:
            link = path_of(whole)
            base = parts.path.rstrip("/").removesuffix(link.partition("?")[0])
            origin = f"{parts.scheme}://{parts.netloc}{base}"
        if asked.text is not None:
            link = _with_text(link, asked.text)
        if asked.qr and not origin:
            raise ExportRequestError("A QR code needs a server to lead to: name it with --origin.")
        yield (
            replace(parse_export_request({**vars(asked), "link": link, "format": "svg"}), strict=True),
            origin,
        )


def links_of_views() -> list[str]:
    """Return a link to each view as it opens."""
    return [f"/{entry.address}?{urlencode({'view': view})}" for entry, view in every_view()]


def _with_text(link: str, text: str) -> str:
    address, _, query = link.partition("#")[0].partition("?")
    others = [one for one in query.split("&") if one and one.partition("=")[0] != "text"]
    return f"{address}?{'&'.join([*others, urlencode({'text': text})])}"


def _save(
    requests: Sequence[tuple[ExportRequest, str]], kinds: Sequence[Kind], exporter: Exporter, folder: Path
) -> tuple[int, list[Failure]]:
    """Write all files, each under a free name of this run; return their number and the failures."""
    taken: set[str] = set()
    n_files = n_former = 0
    failures: list[Failure] = []
    with tqdm(requests, unit="link", disable=None) as progress:
        for request, origin in progress:
            progress.set_postfix_str(request.link[:40])
            for one in files(request, kinds, exporter, origin=origin):
                if isinstance(one, File):
                    path = folder / free_name(_name(one, request), taken)
                    was_there = path.exists()
                    try:
                        path.write_bytes(one.content)
                    except OSError as error:
                        failures.append(Failure(request.link, path.name, ExportRequestError(_reason(error))))
                        continue
                    n_files += 1
                    n_former += was_there
                else:
                    failures.append(one)
    former = f", {n_former} of them overwritten" if n_former else ""
    print(f"{counted(n_files, 'file')} in {folder}{former}")
    return n_files, failures


def _name(file: File, request: ExportRequest) -> str:
    """Return the name of a file, with the scale of a PNG if it is unusual."""
    is_usual = not file.name.endswith(".png") or request.scale == USUAL_SCALE
    return file.name if is_usual else f"{file.name.removesuffix('.png')}-{request.scale}x.png"


def _report(failures: Sequence[Failure], n_files: int, *, is_lenient: bool) -> int:
    """Print what failed and why, and return the exit code; with --all, an empty view is no failure."""
    bare = [one for one in failures if is_lenient and isinstance(one.why, NothingToSaveError)]
    failed = [one for one in failures if one not in bare]
    for title, those in {"Nothing to save": bare, "Not made": failed}.items():
        if those:
            print(f"{title}:", *those, sep="\n  ", file=sys.stderr)
    if n_files == 0 and failed and all(isinstance(one.why, UnknownNameError) for one in failed):
        return 2
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
