"""The small pictures of the home's gallery."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from figures import gallery
from figures.export import measuring_once
from figures.gallery import SIZE, Small, drawn, wanted
from pages.home.pictures import GALLERY
from tests.figures.made_up import MadeUp
from viz.theme import THEMES

SMALL = Small("/scaling?view=long+vectors", "small-dark.webp", THEMES["dark"])


def test_every_view_with_a_picture_has_a_small_one_in_both_themes() -> None:
    found = [small.file for small in wanted()]

    assert len(set(found)) == len(found)
    assert {path.name for path in GALLERY.glob("*.webp")} <= set(found)
    assert {name.rpartition("-")[2] for name in found} == {"light.webp", "dark.webp"}


def test_shipped_small_pictures_take_little_space() -> None:
    assert sum(path.stat().st_size for path in GALLERY.glob("*.webp")) <= 1.5e6


def test_a_small_picture_has_the_fixed_size_and_no_frame(made_up: MadeUp) -> None:
    content = drawn(SMALL, made_up, measuring_once())
    assert content is not None
    with Image.open(BytesIO(content)) as picture:
        assert (picture.format, picture.size) == ("WEBP", SIZE)

    (job,) = made_up.jobs
    assert (job.frame.title, job.frame.caption, job.frame.paper) == ((), (), THEMES["dark"].paper)
    assert job.frame.width / job.frame.height == pytest.approx(SIZE[0] / SIZE[1])


BARE = Small("/sources", "bare-light.webp", THEMES["light"])


@pytest.fixture
def former(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two former pictures, one of them of a view that has none now."""
    monkeypatch.setattr(gallery, "wanted", lambda: iter([SMALL, BARE]))
    for name in ("of-no-view.webp", BARE.file, SMALL.file):
        (tmp_path / name).write_bytes(b"former")
    return tmp_path


def test_the_former_file_of_an_undrawable_picture_stays(
    made_up: MadeUp, former: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.refused = {"png"}

    assert gallery.main(former, made_up) == 1

    assert [path.name for path in former.iterdir()] == [SMALL.file]
    assert (former / SMALL.file).read_bytes() == b"former"
    assert f"{SMALL.link}, dark: No Chromium here" in capsys.readouterr().err
