"""Links as tiles: a list in HTML with all text escaped; frame.css is its style sheet."""

from html import escape

from pages.contract.sheet import Tile, Tiles


def tiles(part: Tiles) -> str:
    """Return the list, numbered if its order counts, below its title."""
    kind = "ul" if part.arranged == "cards" else "ol"
    title = f"<h3>{escape(part.title)}</h3>" if part.title else ""
    listed = "".join(_item(tile) for tile in part.tiles)
    # A landmark has a name that distinguishes it.
    name = f'aria-label="{escape(part.title)}"' if part.title else ""
    look = f"{part.arranged} files" if any(tile.slides for tile in part.tiles) else part.arranged
    tag = f"nav {name}" if name else "div"
    files = "".join(file_link(address, text) for text, address in part.files.items())
    return f'<{tag} class="tiles {look}">{title}<{kind}>{listed}</{kind}>{files}</{tag.split()[0]}>'


def _item(tile: Tile) -> str:
    return (
        f'<li class="with_slides">{_link(tile)}{_slides(tile)}</li>'
        if tile.slides
        else f"<li>{_link(tile)}</li>"
    )


def _link(tile: Tile) -> str:
    note = f"<small>{escape(tile.note)}</small>" if tile.note else ""
    act = f"<b>{escape(tile.act)}</b>" if tile.act else ""
    # The title says what the picture shows: a screen reader would read it twice.
    picture = f'<img src="{escape(tile.picture)}" alt="" loading="lazy">' if tile.picture else ""
    words = f"{picture}<strong>{escape(tile.title)}</strong><span>{escape(tile.text)}</span>{note}{act}"
    return f'<a href="{escape(tile.path)}">{words}</a>'


def _slides(tile: Tile) -> str:
    named = {kind: f"{'Hand-out' if kind == 'html' else 'Slides'} ({kind.upper()})" for kind in tile.slides}
    return "".join(
        file_link(address, named[kind], f"{named[kind]} of {tile.title}")
        for kind, address in tile.slides.items()
    )


def file_link(address: str, text: str, name: str = "") -> str:
    """Return the link to a file; `saving/files.js` fetches it and shows the progress."""
    label = f' aria-label="{escape(name)}"' if name else ""
    return f'<a class="slides" href="{escape(address)}" download{label}>{escape(text)}</a>'
