"""Figures from the command line."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from figures import __main__ as command
from figures.export import NOT_AGAIN
from figures.rendering import exporter as drawing
from figures.rendering.exporter import NO_BROWSER
from figures.rendering.marks import in_png
from pages.contract.link_parameters import parsed
from tests.covering import each
from tests.figures.made_up import MadeUp, dots

SOFTMAX = "/scaling?view=long+vectors"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_picture_of_every_link_is_saved_in_every_format(made_up: MadeUp, tmp_path: Path) -> None:
    wanted = ["--format", "svg,pdf,csv,pptx", "--out", str(tmp_path / "new")]

    code = command.main([SOFTMAX, "/masking?view=paint&text=a+b", *wanted], made_up)

    assert code == 0
    assert names(tmp_path / "new") == {
        f"{name}.{kind}"
        for name in (
            "scaling-long-vectors-row-zuko-made-his-uncle",
            "scaling-long-vectors-growth-zuko-made-his-uncle",
            "masking-paint-painted-layer-1-head-1-a-b",
        )
        for kind in ("svg", "pdf", "csv")
    } | {"scaling-long-vectors-zuko-made-his-uncle.pptx", "masking-paint-layer-1-head-1-a-b.pptx"}


def test_an_archive_has_every_picture_in_every_format(made_up: MadeUp, tmp_path: Path) -> None:
    assert command.main([SOFTMAX, "--format", "zip", "--out", str(tmp_path)], made_up) == 0

    with ZipFile(next(tmp_path.iterdir())) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    pictures = [f"scaling-long-vectors-{key}-zuko-made-his-uncle" for key in ("row", "growth")]
    wanted = {f"{name}.{kind}" for name in pictures for kind in ("svg", "png", "pdf", "csv")}
    assert set(found) == {"README.txt"} | wanted
    assert found["scaling-long-vectors-row-zuko-made-his-uncle.png"].startswith(b"\x89PNG")
    assert b"link: /scaling?view=long+vectors" in found["README.txt"]


def test_a_file_without_a_link_is_named(
    made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([SOFTMAX, "--format", "pptx,html,csv", "--out", str(tmp_path)], made_up) == 0
    capsys.readouterr()

    codes = {name: command.main(["--link", str(tmp_path / name)]) for name in names(tmp_path)}
    printed = capsys.readouterr()

    assert {name for name, code in codes.items() if code} == {one for one in codes if one.endswith(".csv")}
    assert printed.out.split() == [SOFTMAX] * 3
    assert printed.err.count("A CSV file does not contain its link") == 2


def test_one_picture_of_a_view_is_named_by_its_key(
    made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([SOFTMAX, "--key", "growth", "--out", str(tmp_path)], made_up) == 0
    assert names(tmp_path) == {"scaling-long-vectors-growth-zuko-made-his-uncle.svg"}

    assert command.main([SOFTMAX, "--key", "matrix", "--out", str(tmp_path)], made_up) == 2
    assert "Its pictures are row, growth." in capsys.readouterr().err


@each(
    ("link", "said", "kind"),
    [
        ("/scaling?view=long+vectrs", "asks for view = long vectrs, but here it can be", "svg"),
        (f"{SOFTMAX}&txt=hot+tea", "The link has a parameter txt, which no page knows.", "zip"),
    ],
)
def test_a_link_with_a_wrong_value_makes_no_picture(
    link: str, said: str, kind: str, made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([link, "--format", kind, "--out", str(tmp_path)], made_up) == 1

    printed = capsys.readouterr().err
    assert said in printed
    assert "Showing" not in printed, "no picture is shown"
    assert names(tmp_path) == set()


def test_failures_are_listed_at_the_end_and_the_rest_is_made(
    made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.refused = {"pdf"}

    code = command.main(
        ["/nowhere", SOFTMAX, "/glossary", "--format", "pdf,csv", "--out", str(tmp_path)], made_up
    )

    said = capsys.readouterr().err.split("Not made:")[1].splitlines()
    assert code == 1
    assert names(tmp_path) == {
        f"scaling-long-vectors-{key}-zuko-made-his-uncle.csv" for key in ("row", "growth")
    }
    assert [line.strip() for line in said if line] == [
        "/nowhere, pdf, csv: There is no page /nowhere.",
        f"{SOFTMAX}, pdf: No Chromium here: install it.",
        f"{SOFTMAX}, pdf: No Chromium here: install it.",
        "/glossary, pdf, csv: This view shows no picture to save.",
    ]


def test_without_chromium_csv_and_html_are_made_and_other_formats_have_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(drawing.browser, "find", lambda: None)

    code = command.main([SOFTMAX, "--format", "csv,html,svg,pptx", "--out", str(tmp_path)])

    assert code == 1
    assert {name.rpartition(".")[2] for name in names(tmp_path)} == {"csv", "html"}
    assert NO_BROWSER in capsys.readouterr().err


def test_all_views_agree_with_the_navigation() -> None:
    links = command.links_of_views()

    assert len(set(links)) == len(links) > 50
    assert {"/?view=home", "/scaling?view=long+vectors", "/step-by-step?view=why+three+matrices"} <= set(
        links
    )


def test_a_picture_of_a_training_that_has_not_begun_is_refused_and_the_attention_is_saved(
    made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = "/training?view=training"

    assert command.main([link, "--format", "svg,csv,zip", "--out", str(tmp_path)], made_up) == 1

    said = capsys.readouterr().err
    assert f"{link}, svg, csv: Nothing has been trained yet: press Start first." in said
    assert {name.rpartition(".")[2] for name in names(tmp_path)} == {"svg", "csv", "zip"}
    assert not [name for name in names(tmp_path) if "curves" in name]
    with ZipFile(next(tmp_path.glob("*.zip"))) as archive:
        assert not [name for name in archive.namelist() if "curves" in name]
        readme = archive.read("README.txt").decode()
    assert "Not here: Loss, accuracy, gradient norm and learning rate during training. Nothing has" in readme
    for kind in ("zip", "pptx"):
        assert command.main([link, "--key", "curves", "--format", kind, "--out", str(tmp_path)], made_up) == 1
        assert f"{kind}: Nothing has been trained yet" in capsys.readouterr().err


@each(
    ("arguments", "said"),
    [
        ([], "name links"),
        ([SOFTMAX, "--all"], "name links"),
        ([SOFTMAX, "--format", "svg,gif"], "no such format"),
        ([SOFTMAX, "--format", ""], "no such format"),
        ([SOFTMAX, "--preset", "column"], "no such preset. There are slide, half, square, acl-column"),
        ([SOFTMAX, "--width", "77"], "such as 77mm"),
        ([SOFTMAX, "--theme", "sepia"], "no such theme. There are light, dark, grey"),
        ([SOFTMAX, "--scale", "3"], "no such scale. There are 1, 2, 4"),
        ([SOFTMAX, "--format", "pdf,pptx", "--preset", "acl"], "has no slide"),
        ([SOFTMAX, "--format", "pptx", "--width", "77mm"], "has no slide"),
        ([SOFTMAX, "--qr", "--origin", "lab.example"], "--origin is the address"),
        ([SOFTMAX, "--out", __file__], "cannot be made: File exists."),
        ([SOFTMAX, "--out", f"{__file__}/in/it"], "cannot be made: Not a directory."),
        ([SOFTMAX, "--out", "a\0b"], "cannot be made: "),
        (["explorer"], "begins with one slash"),
        ([SOFTMAX, "--qr"], "--origin"),
    ],
)
def test_a_wrong_order_is_refused_before_anything_is_made(
    arguments: list[str], said: str, made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments, made_up)

    assert ended.value.code == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.strip().endswith(".") or "--all" in said or "links" in said
    assert made_up.jobs == []


def test_a_sentence_needs_no_encoding(made_up: MadeUp, tmp_path: Path) -> None:
    typed = 'hot & tea = "50 %" #1+1'

    link = "/masking?view=paint&text=cold+tea"
    assert command.main([link, "--text", typed, "--out", str(tmp_path)], made_up) == 0

    (job,) = made_up.jobs
    found = parsed(job.provenance["link"])
    assert found[1]["text"] == [typed]
    assert any(typed in line for line in (" ".join(job.frame.caption), "")), "the picture quotes it"


def test_the_link_of_each_of_several_files_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = ["/masking?view=paint", "/glossary?view=glossary"]
    files = [tmp_path / f"{at}.png" for at in range(2)]
    for link, file in zip(links, files, strict=True):
        file.write_bytes(in_png(dots(), {"link": link}, 96))

    for asked in (["--link", *map(str, files)], ["--link", str(files[0]), "--link", str(files[1])]):
        assert command.main(asked) == 0
        assert capsys.readouterr().out.splitlines() == links
    files[1].write_bytes(in_png(dots(), {"link": links[1], "moment": "taken after step 3 of 9"}, 96))
    assert command.main(["--link", *map(str, files)]) == 0
    assert capsys.readouterr().err.strip() == f"{files[1]}: taken after step 3 of 9. {NOT_AGAIN}"
    files[1].write_bytes(in_png(dots(), {"link": links[1]}, 96))
    missing = tmp_path / "missing.png"
    assert command.main(["--link", str(files[0]), str(missing), str(files[1])]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == links
    assert printed.err.strip() == f"{missing}: No such file or directory"
    files[1].write_bytes(in_png(dots(), {"call": "lab.read()('hot tea').heads()"}, 96))
    assert command.main(["--link", *map(str, files)]) == 0
    assert capsys.readouterr().out.splitlines() == [links[0], "lab.read()('hot tea').heads()"]


def test_files_of_different_looks_have_different_names(made_up: MadeUp, tmp_path: Path) -> None:
    looks = [
        *([], ["--transparent"], ["--no-title"], ["--theme", "dark"], ["--preset", "acl"]),
        *(["--width", "77mm"], ["--width", "3in"], ["--scale", "4"]),
        ["--qr", "--origin", "http://lab.example"],
    ]
    for look in looks:
        wanted = ["--key", "row", "--format", "png", "--out", str(tmp_path), *look]
        assert command.main([SOFTMAX, *wanted], made_up) == 0
    assert len(names(tmp_path)) == len(looks)


def test_a_file_that_cannot_be_written_is_named_and_the_others_are_made(
    made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scaling-long-vectors-row-zuko-made-his-uncle.svg").mkdir()

    assert command.main([SOFTMAX, "--out", str(tmp_path)], made_up) == 1

    printed = capsys.readouterr()
    assert "scaling-long-vectors-row-zuko-made-his-uncle.svg: Is a directory" in printed.err
    assert printed.out.startswith("1 file in")


@each(
    ("whole", "link", "origin"),
    [
        ("https://lab.example/scaling?text=hot+tea", "/scaling?text=hot+tea", "https://lab.example"),
        ("https://uni.example/a/lab/scaling?text=hot", "/scaling?text=hot", "https://uni.example/a/lab"),
        ("https://uni.example:8443/lab/scaling/", "/scaling", "https://uni.example:8443/lab"),
        ("/scaling", "/scaling", ""),
    ],
)
def test_a_whole_address_names_the_server(whole: str, link: str, origin: str) -> None:
    ((request, where),) = command._requests(command._parser().parse_args([whole]))
    assert (request.link, where) == (link, origin)
