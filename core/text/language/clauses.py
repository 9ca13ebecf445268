"""The short constructions of the grammar."""

from collections.abc import Sequence

Templates = dict[str, int]

DITRANSITIVES: dict[str, Templates] = {
    "ditransitive": {
        "{giver:agent} {made:verb} {his@agent} {uncle:recipient} {tea:patient} .": 4,
        "{giver:agent} {gave:verb} {his@agent} {uncle:recipient} a {key.singular:patient} .": 3,
        "the {chef:agent} {made:verb} the {chef:recipient} {tea:patient} .": 1,
        "the {chef:agent} {gave:verb} the {chef:recipient} a {key.singular:patient} .": 2,
    },
    "giver": {"{zuko:x}": 2, "{mina:x}": 2, "the {king:x}": 1, "the {queen:x}": 1},
}

CONSEQUENCES = (
    # Either may do it to the other; only the roles decide why, and how they were afterwards. Some pairs of
    # these nouns are for testing only: see held_out.py. Columns: nouns, what the agent did, the agent before,
    # the agent afterwards, the patient afterwards.
    ("oven", "cooked|heated|warmed", "hot|close", "cold|empty", "warm|ready"),
    ("cat", "chased|followed", "hungry|angry", "tired|thirsty", "afraid|nervous"),
    ("chef", "helped|carried", "kind|strong", "tired|thirsty", "grateful|safe"),
    ("chef", "paid|rewarded", "kind|honest", "poor|worried", "rich|grateful"),
    ("chef", "blamed|scolded", "angry|unfair", "lonely|unpopular", "sad|sorry"),
    ("chef", "defeated|beat", "strong|clever", "proud|glad", "sad|disappointed"),
)


def _consequences() -> Templates:
    """Return all sentences of every row, and those between a man and a woman that end in a pronoun."""
    templates: Templates = {}
    for noun, verbs, *states in CONSEQUENCES:
        event = f"the {{{noun}:agent}} {{{verbs}:verb}} the {{{noun}:patient}}"
        templates |= _ends(event, "the {=agent:x}", "the {=patient:x}", states, weight=4)
        if noun == "chef":
            for one, other in (("king", "queen"), ("queen", "king")):
                event = f"the {{{one}.singular:agent}} {{{verbs}:verb}} the {{{other}.singular:patient}}"
                templates |= _ends(event, "{he@agent:x}", "{he@patient:x}", states, weight=1)
    return templates


def _ends(event: str, agent: str, patient: str, states: Sequence[str], *, weight: int) -> Templates:
    """Return the endings: a cause is in the agent; an effect is twice as often on the patient."""
    before, after, of_patient = [f"{{was@x}} {{{state}}} ." for state in states]
    return {
        f"{event} because {agent} {before}": weight,
        f"{event} so {agent} {after}": weight,
        f"{event} so {patient} {of_patient}": 2 * weight,
    }


def _by_gender(*templates: str) -> Templates:
    """Return each template with HE a man and SHE a woman, and the other way round."""
    pairs = (("gentleman", "lady"), ("lady", "gentleman"))
    return {t.replace("SHE", she).replace("HE", he): 1 for t in templates for he, she in pairs}


PRONOUNS: dict[str, Templates] = {
    "pronoun": {
        # two people, a man and a woman
        **_by_gender(
            "{HE:a} {told} {SHE:b} that {he@a:x} {was@x} {late} .",
            "{HE:a} {told} {SHE:b} that {he@b:x} {was@x} {late} .",
            "{HE:agent} {met:verb} {SHE:patient} and {thanked|praised} {him@patient} .",
        ),
        # a person and a thing
        **_by_gender(
            "{HE:agent} {lost|dropped:verb} {his@agent} {key:patient} but {SHE} found {him@patient} .",
            "{HE:agent} {lost|dropped:verb} {his@agent} {key:patient} so {he@agent:x} {was@x} {sad|angry} .",
        ),
        # animals and their things, one and several
        "the {cat:agent} {found|dropped:verb} {his@agent} {toy:patient} .": 1,
        "the {chef.plural:agent} {fed:verb} the {cat.singular:patient} {for_they_were_kind@agent} .": 1,
        "the {chef.plural:agent} {fed:verb} the {cat.singular:patient} {for_it_was_old@patient} .": 1,
        "the {chef.singular:agent} {fed:verb} the {cat.plural:patient} {for_it_was_old@patient} .": 1,
    },
    "for_they_were_kind": {"because {he@x:y} {was@y} {kind|helpful}": 1},
    "for_it_was_old": {"because {he@x:y} {was@y} {old|young}": 1},
    "gentleman": {"{zuko:x}": 2, "the {king.singular:x}": 1},
    "lady": {"{mina:x}": 2, "the {queen.singular:x}": 1},
}

_WHEN = "when {anna:a} and {anna:b} {went} to the {store} ,"
_MET = "{anna:a} {met} {anna:b} {near} the {store} and"

NAMES: dict[str, Templates] = {
    "name": {
        f"{_WHEN} {{=a:agent}} {{gave:verb}} a {{key.singular:patient}} to {{=b:recipient}} .": 2,
        f"{_WHEN} {{=b:agent}} {{gave:verb}} a {{key.singular:patient}} to {{=a:recipient}} .": 2,
        f"{_MET} {{=a:agent}} {{thanked|praised:verb}} {{=b:patient}} .": 1,
        f"{_MET} {{=b:agent}} {{thanked|praised:verb}} {{=a:patient}} .": 1,
    },
}

ACTIONS = (("reduces", "emission"), ("studies", "book"), ("eats", "apple"), ("cleans", "house"))
"""Actions and their objects: a class of verbs and a class of nouns."""


def _actions(*templates: str) -> Templates:
    """Return each template with every action in it, at the places that say DO and IT."""
    return {t.replace("DO", verb).replace("IT", noun): 1 for t in templates for verb, noun in ACTIONS}


QUESTIONS: dict[str, Templates] = {
    "question": _actions(
        "{so_why} {is:v} the {chef@v:agent} {perhaps_not} {DO.ing:verb} the {IT:patient} ?",
        "{so_why} {is.plural:v} the {chef@v:agent} {perhaps_not} {DO.ing:verb} {his@agent} {IT:patient} ?",
        "{so_why} {is.singular:v} the {king@v:agent} {perhaps_not} {DO.ing:verb} {his@agent} {IT:patient} ?",
        "{so_why} {is.singular:v} the {queen@v:agent} {perhaps_not} {DO.ing:verb} {his@agent} {IT:patient} ?",
        "{so_why} {is.plural:v} {we@v:agent} {perhaps_not} {DO.ing:verb} {his@agent} {IT:patient} ?",
        "{so_why} {is.plural:v} {we@v:agent} {perhaps_not} {DO.ing:verb} the {IT:patient} ?",
    ),
    "so_why": {"so why": 2, "why": 1, "and why": 1},
    "perhaps_not": {"not": 2, "": 1},
}

INFINITIVES: dict[str, Templates] = {
    "infinitive": {
        **_actions(
            "{i:agent} want to {DO.base:verb} the {IT:patient} .",
            "the {chef:agent} {wants@agent} to {DO.base:verb} the {IT:patient} .",
        ),
        "{i:agent} want to {eats.base:verb} {chinese} {food:patient} .": 2,
        "the {chef:agent} {wants@agent} to {eats.base:verb} {chinese} {food:patient} .": 2,
        "let the {good} ones {go} {!}": 3,
        "{i:agent} can't {cram:verb} the {meaning:patient} of a whole {sentence} {into_a_vector} {!}": 3,
    },
    "into_a_vector": {"into a single {vector}": 1},
}

STATEMENTS: dict[str, Templates] = {
    "transitive": _actions(
        "the {chef:agent} {DO.past:verb} the {IT:patient} .",
        "the {chef:agent} {near} the {store} {DO.past:verb} the {IT:patient} .",
    ),
    "locative": {
        "the {cat:a} {perhaps_near} {walks@a} on the {street} .": 2,
        "the {cat:a} {perhaps_near} {sleeps@a} in the {garden} .": 1,
        "the {chef:a} {perhaps_near} {walks@a} on the {street} .": 1,
        "the {chef:a} {perhaps_near} {lives@a} near the {street} .": 1,
    },
    "perhaps_near": {"": 2, "{near} the {store}": 1},
}

CLAUSES: dict[str, Templates] = {
    "consequence": _consequences(),
    **DITRANSITIVES,
    **PRONOUNS,
    **NAMES,
    **QUESTIONS,
    **INFINITIVES,
    **STATEMENTS,
}
