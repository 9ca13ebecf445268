"""The rules that make the second language from ours, for readers, each with an example sentence."""

from dataclasses import dataclass

NAME = "Verano"
"""Name of the second language."""


@dataclass(frozen=True)
class Rule:
    """A rule in a sentence, an English example sentence, and the words there that show it."""

    title: str
    says: str
    example: str
    shown: tuple[str, ...]


RULES = (
    Rule(
        title="main verb first",
        says="The verb of a main clause comes first, however long its subject is.",
        example="the key that the gardeners sold is heavy .",
        shown=("is",),
    ),
    Rule(
        title="subordinate verb last",
        says="The verb of a subordinate clause, a question or an infinitive comes last. Only a relative "
        "clause on the noun before the verb may follow it.",
        example="the chef who likes the teacher who lost the key is tired .",
        shown=("likes", "lost"),
    ),
    Rule(
        title="adjective after noun",
        says="Adjectives and possessives stand after their noun.",
        example="the old chef is tired .",
        shown=("old",),
    ),
    Rule(
        title="gender",
        says="Every noun is masculine (*-o*) or feminine (*-a*); articles, adjectives, possessives and "
        "pronouns agree with it.",
        example="mina lost her lamp but zuko found it .",
        shown=("her", "it"),
    ),
    Rule(
        title="one word becomes two",
        says="A past verb is the word *ha* and a participle in *-it*. Only *was* and *were* stay one word.",
        example="the chef cooked the soup .",
        shown=("cooked",),
    ),
    Rule(
        title="two words become one",
        says="A preposition and the article *the* become one word. "
        "So do *is eating*, *to eat* and *at home*.",
        example="the cat sleeps in the garden .",
        shown=("in", "the"),
    ),
    Rule(
        title="recipient with al",
        says="The person who gets something has *al* before the noun, also if English has no word for it.",
        example="the chef gave the student a key .",
        shown=("student",),
    ),
    Rule(
        title="lead last",
        says="A part before the main clause, such as *near the river*, moves to the end, with its comma.",
        example="near the river , the dog sleeps .",
        shown=("near", "river"),
    ),
)
