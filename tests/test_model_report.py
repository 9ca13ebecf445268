"""The page of the measurements of models has every number beside its peer's, and says what was aimed at."""

from bench.models.pictures import Picture
from bench.models.report import page

PEER = "transformers, eager"
FORWARD = {
    "versions": {"torch": "2.13.0", "bertviz": "1.4.1"},
    "device": "CPU, 1 thread",
    "rows": [
        {
            "question": "all patterns",
            "words": 32,
            "aim": 1.0,
            "seconds": {"ours": 0.3, PEER: 0.4},
            "floor_seconds": 0.2,
            "bytes": {"ours": 5_000_000, PEER: 20_000_000},
            "floor_bytes": 1_000_000,
        }
    ],
}
PICTURES = [
    Picture(words=32, ours=[0.7, 0.5, 0.6], theirs=[5.0, 7.0, 6.0], our_bytes=250_000, their_bytes=5_000_000),
    Picture(words=64, ours=[1.0], theirs=[], our_bytes=300_000, their_bytes=0),
]


def test_each_row_has_ours_theirs_their_ratio_the_aim_and_the_floor() -> None:
    text = page(FORWARD, PICTURES)
    assert "Measured on CPU, 1 thread, with torch 2.13.0, bertviz 1.4.1." in text
    assert (
        f"| all patterns, against {PEER} | 32 | 0.300 s | 0.400 s | 0.75 | ≤ 1.00 | 0.200 s | 0.5 |" in text
    )
    assert "| all patterns, against transformers, eager | 32 | 5.0 MB | 20 MB | 0.25 | 1.0 MB |" in text
    assert "| 32 | 0.60 s | 6.00 s | 0.1 |  | 0.2 MB | 5.0 MB | 0.05 |  |" in text


def test_a_picture_that_nobody_else_could_draw_has_no_ratio() -> None:
    assert "| 64 | 1.00 s | – | – | ≤ 0.050 | 0.3 MB | – | – | ≤ 0.025 |" in page(FORWARD, PICTURES)
