"""Questions of the four kinds, as plain data like the pages make."""

from typing import Any

CHOOSE: dict[str, Any] = {
    "kind": "choose",
    "solution": "hot",
    "text": "Which word?",
    "options": [
        {"text": "tea", "why_not": "secret-why"},
        {"text": "hot", "why_not": ""},
        {"text": "is", "why_not": ""},
    ],
    "right": 1,
    "because": "secret-because",
}
ESTIMATE: dict[str, Any] = {
    "kind": "estimate",
    "solution": "40 %",
    "text": "How much?",
    "right": 40.0,
    "bounds": [0.0, 100.0],
    "because": "secret-because",
    "unit": "%",
    "decimals": 0,
    "near": 2.0,
    "mistaken": [[60.0, "secret-why"]],
}
ARRANGE: dict[str, Any] = {
    "kind": "arrange",
    "solution": "c, a, b",
    "text": "In which order?",
    "items": ["a", "b", "c"],
    "right": [2, 0, 1],
    "because": "secret-because",
}
SKETCH: dict[str, Any] = {
    "kind": "sketch",
    "solution": "secret-solution",
    "text": "Draw the row.",
    "labels": ["hot", "tea", "is"],
    "right": [0.5, 0.3, 0.2],
    "because": "secret-because",
    "shares": True,
    "largest": 1.0,
    "unit": "",
    "are_whole": False,
}
WHOLE: dict[str, Any] = {
    **SKETCH,
    "right": [2.0, 7.0, 3.0],
    "shares": False,
    "largest": 11.0,
    "are_whole": True,
}
WORDS: dict[str, Any] = {
    "kind": "words",
    "solution": "",
    "text": "Which word?",
    "right": None,
    "because": "",
    "longest": 30,
    "most_words": 3,
}
ALL = {"choose": CHOOSE, "estimate": ESTIMATE, "arrange": ARRANGE, "sketch": SKETCH, "whole": WHOLE}

NEARNESS = [
    ({"right": 2.0, "near": 0.0, "decimals": 0}, [1.0, 1.5, 2.0, 2.4, 2.6], [1.5, 2.0, 2.4]),
    ({"right": 1.82, "near": 7.0, "decimals": 0}, [0.0, 1.0, 2.0, 2.7, 3.0, 5.0], [1.0, 2.0, 2.7]),
    ({"right": 1e-05, "near": 0.0, "decimals": 5}, [0.0, 1e-05, 0.4], [1e-05]),
    ({"right": 0.0, "near": 2.0, "decimals": 0}, [-2.0, 1.0, 3.0], [-2.0, 1.0]),
    ({"right": 0.3, "near": 0.1, "decimals": 1}, [0.1 + 0.1, 0.5], [0.1 + 0.1]),
]
"""Questions, answers, and the answers that count as right, on a phone and on the projector."""
