"""Short reviews of films and of meals, of praise or of blame, with negation and contrast."""

_FILM = (
    "film",
    "good|great|moving|funny|exciting|clever|charming|beautiful",
    "bad|boring|slow|dull|weak|silly|terrible|predictable",
)
_MEAL = ("meal", "good|great|fresh|tasty|delicious|perfect", "bad|bland|stale|salty|burnt|terrible")

_LIKED = ("loved|liked|enjoyed", "like|enjoy|recommend")
_HATED = ("hated|disliked|regretted", "hate|dislike|regret")

_REVIEW = {
    "CLAUSE .": 4,
    "CLAUSE and CLAUSE .": 2,
    "OPPOSITE but CLAUSE .": 3,
    "although OPPOSITE , CLAUSE .": 2,
}
_CLAUSE = {
    "the {TOPIC:x} {was@x} {GOOD}": 3,
    "the {TOPIC:x} {was@x} {very} {GOOD}": 1,
    "the {TOPIC:x} {was@x} {not} {BAD}": 4,
    "the {TOPIC:x} {was@x} not only {GOOD} but also {GOOD}": 2,
    "i {LIKED} the {TOPIC}": 1,
    "i did not {HATE} the {TOPIC}": 1,
}


def _filled(templates: dict[str, int], places: dict[str, str]) -> dict[str, int]:
    for place, text in places.items():
        templates = {template.replace(place, text): weight for template, weight in templates.items()}
    return templates


def _rules(topic: str, good: str, bad: str) -> dict[str, dict[str, int]]:
    """Return praise and blame of one topic, and the clauses they are made of."""
    rules = {}
    for label, other, right, wrong, (liked, _), (_, hate) in (
        ("praise", "blame", good, bad, _LIKED, _HATED),
        ("blame", "praise", bad, good, _HATED, _LIKED),
    ):
        words = {"TOPIC": topic, "GOOD": right, "BAD": wrong, "LIKED": liked, "HATE": hate}
        clauses = {"CLAUSE": f"{{{topic}_{label}}}", "OPPOSITE": f"{{{topic}_{other}}}"}
        rules[f"{label} of a {topic}"] = _filled(_REVIEW, clauses)
        rules[f"{topic}_{label}"] = _filled(_CLAUSE, words)
    return rules


REVIEWS = {**_rules(*_FILM), **_rules(*_MEAL)}

ADJECTIVES = (
    frozenset(f"{_FILM[1]}|{_MEAL[1]}".split("|")),
    frozenset(f"{_FILM[2]}|{_MEAL[2]}".split("|")),
)
"""The adjectives of praise, and those of blame."""

VERBS_OF_OPINION = (
    frozenset(f"{_LIKED[0]}|{_LIKED[1]}".split("|")),
    frozenset(f"{_HATED[0]}|{_HATED[1]}".split("|")),
)
"""The verbs of praise, and those of blame."""
