"""Subjects of any length: phrases between a noun and the verb that agrees with it.

`x` is the noun that a phrase belongs to. A relative clause always belongs to the noun right before it, and of
several clauses joined by `and` only the last may end in another one: so no sentence has two readings.
"""

SUBJECTS = {
    "agreement": {
        "{lead} {the_old} {chef:a} {who.measured@a} {is_busy@a} .": 5,
        "{lead} {the_big} {key:a} {that.measured@a} {is_heavy@a} .": 3,
        "{lead} {the_big} {cat:a} {which.measured@a} {is_calm@a} .": 2,
    },
    # before the subject
    "lead": {"": 4, "near the {store} ,": 1},
    "the_old": {"the": 4, "the {old}": 1},
    "the_big": {"the": 4, "the {big}": 1},
    # after it
    "is_busy": {"{seems@x} {busy}": 4, "{smiles@x}": 1, "{waits_for@x}": 1},
    "is_heavy": {"{seems@x} {heavy}": 4, "{belongs@x} to the {chef}": 1},
    "is_calm": {"{seems@x} {calm}": 4, "{sleeps@x}": 1},
    "waits_for": {"{waits@x} for the {chef}": 1},
    # between a person and the verb
    "who": {
        "": 3,
        "{upstairs}": 1,
        "at home": 1,
        "{near_store}": 2,
        "{near_chef}": 2,
        "{near_store} {near_chef}": 1,
        "{near} the {chef:y} who {did@y}": 1,
        "who {smiles@x}": 1,
        "who {did@x}": 5,
        "who {does@x}": 4,
        "that the {chef:y} {who_briefly@y} {admires@y}": 2,
    },
    "who_briefly": {"": 2, "{near_store}": 1, "who {went_home}": 1},
    # between a thing and the verb
    "that": {
        "": 3,
        "{upstairs}": 1,
        "at home": 1,
        "{near_table}": 4,
        "{near_table} {near_store}": 2,
        "that {belongs@x} to the {chef:y} {who@y}": 3,
        "that the {chef:y} {who@y} {lost}": 3,
    },
    # between an animal and the verb
    "which": {
        "": 3,
        "{upstairs}": 1,
        "at home": 1,
        "{near_store}": 2,
        "{near_table}": 2,
        "{near_table} {near_store}": 1,
        "that {chased} the {cat}": 2,
        "that {belongs@x} to the {chef:y} {who@y}": 2,
        "that the {chef:y} {who@y} {fed}": 2,
    },
    "near_store": {"{near} the {store}": 1},
    "near_chef": {"{near} the {chef}": 1},
    "near_table": {"{on} the {table}": 2, "{near} the {key}": 1},
    # actions of a person in the past: one, or several with `and` before the last
    "did": {"{went_last}": 2, "{went_home} {and_did}": 3},
    "and_did": {"and {went_last}": 3, ", {went_home} {and_did}": 2},
    "went_last": {
        "{went_home}": 4,
        "{met} the {chef:y} who {did@y}": 1,
        "{met} the {chef:y} who {does@y}": 1,
    },
    "went_home": {
        "ran out of {blackberry.plural}": 1,
        "ran out of {flour}": 1,
        "{went} to the {store}": 2,
        "{went} to the {store} {near} the {street}": 1,
        "{met} the {chef}": 2,
        "{met} the {chef} {near} the {street}": 1,
        "{talked} to the {chef}": 1,
        "{lost} the {key}": 1,
        "{lost} the {key} {on} the {table}": 1,
        "{cooked} the {apple}": 1,
    },
    # actions of a person in the present, with every verb agreeing
    "does": {"{visits_last@x}": 3, "{visits_it@x} {and_does@x}": 2},
    "and_does": {"and {visits_last@x}": 3, ", {visits_it@x} {and_does@x}": 1},
    "visits_last": {"{visits_it@x}": 4, "{admires@x} the {chef:y} who {did@y}": 1},
    "visits_it": {
        "{admires@x} the {chef}": 2,
        "{visits@x} the {store}": 2,
        "{needs@x} the {key}": 2,
        "{lives@x} near the {store}": 1,
    },
}
