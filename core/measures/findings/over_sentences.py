"""Weights and effects of the default real model over a hundred sentences, measured and stored.

`python -m core.measures.findings.over_sentences` measures them, and keeps the results beside the checkpoints.
"""

from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from core.learning.collection import FOLDER
from core.learning.collection.checkpoint_store import HASH, write_numbers
from core.measures.findings import entries
from core.measures.over_sentences import WeightEffectComparison, compare_at_last
from core.model.config import ModelConfig
from core.pretrained.fetched import SMOLLM2
from core.sources import UnavailableError, find, load
from core.sources.pretrained import source_name

FILE = "hiding.json"

OWN = 6
"""Number of entries of a comparison, without a nested comparison after them."""

AGAIN = "`python -m core.measures.findings.over_sentences` measures it again"


BEGINNINGS = tuple(
    """
The old woman opened the door and looked at the
After the rain stopped, the children went outside to
He put the key in the lock and slowly opened the
The capital of France is a city that is called
She could not find her glasses, so she could not
The dog that chased the two cats was very
My brother plays the piano, and my sister plays the
In the middle of the night the baby began to
The teacher asked the students to open their
When the sun goes down, the sky becomes
We bought bread, milk and eggs at the
The doctor told the patient that she should drink more
Every morning my father drinks a cup of
The train to London was late because of the heavy
If you heat water enough, it will begin to
Maria met Peter at the market, and Peter thanked
The keys to the old wooden cabinet near the window
The boys who live next to the river often
He was so tired that he fell asleep on the
Winter was cold, so they made a fire and sat around the
The farmer sold his horses and bought a new
She opened the letter from her mother and began to
In the summer we swim in the lake, and in the winter we
The king had three daughters and one
They walked through the dark forest until they saw a
The book on the table belongs to my
When the phone rang, nobody in the room wanted to
You need flour, butter and sugar to bake a
The soldier wrote a long letter to his
At the end of the street there is a small
The bird built its nest at the top of the
My grandmother told us stories before we went to
The judge listened to the witness and then asked her a
Because the shop was closed, we could not buy any
The ship left the harbour and sailed across the
Tom gave the book to Anna, and later Anna gave it back to
The students were happy because the exam was very
The plane landed safely in spite of the strong
I cut the bread with a knife and ate the soup with a
The glass fell from the table and broke into a thousand
He forgot his umbrella, and on the way home he got
The painter mixed blue and yellow to make
The mayor of the town gave a speech about the new
Nobody believed the man, although he told the
The moon moves around the earth, and the earth moves around the
The cook tasted the soup and added a little more
The child was afraid of the dark and asked for a
On Monday she works in the office, but on Sunday she stays at
The mouse ran under the bed to hide from the
The river was so wide that we needed a boat to
She wanted to be a nurse, but her parents wanted her to be a
The thief ran away when he heard the
Two plus two is four, and four plus four is
The musicians tuned their instruments before the
He looked at his watch and saw that he was
The leaves of the trees turn red in the
The old car did not start, so they had to
The queen of England lived in a large
They planted the seeds in spring and waited for the
The library is quiet, so please do not
The nurse washed her hands and put on a pair of
The climbers reached the top of the mountain just before
The story begins in a small village near the
The first man who walked on the moon was
He paid for the coffee and left a small
The girl with the red umbrella crossed the
We turned off the lights and went to
The scientists found a new planet far away from the
The cat drank the milk and then went to
Bread is made by a baker, and meat is sold by a
The window was open, and cold air came into the
After ten years abroad he finally came back to his
The room was full of people, but she felt very
The tailor measured the cloth and cut it with his
Most birds can fly, but a penguin can only
It was the best film that I had ever
The guide showed the tourists the way to the
The sky is blue and the grass is
She lost her ticket and had to buy another
The workers went on strike because their pay was too
If it rains tomorrow, we will stay at
The bee flew from flower to flower to collect
My uncle lives in Spain and speaks very good
The postman brings the letters, and the baker brings the
The clock on the wall showed that it was almost
The player kicked the ball into the
The lion is the king of the
He asked her to marry him, and she said
The hunter followed the tracks of the deer into the
When the music stopped, everyone in the hall began to
The water in the lake was so clear that we could see the
The team lost the game, and the coach was very
Fish live in the water, and birds live in the
The museum shows paintings that are more than a hundred
The actor forgot his words in the middle of the
She wrote her name at the bottom of the
The tall man in the black coat was waiting for a
A week has seven days, and a year has twelve
The baby slept, so we spoke in a very low
The dentist told the boy to open his
""".strip().splitlines()
)
"""Texts for a model of English to continue. They are fixed, so that measurements can be repeated."""


def kept(
    source: str, config: ModelConfig, folder: Path = FOLDER
) -> tuple[WeightEffectComparison, ...] | None:
    """Return the shipped results of a real model as it is, None for any other; raises UnavailableError."""
    one = find(source).pretrained
    if one is None or source != source_name(SMOLLM2.folder.name) or config != one.config:
        return None
    entry = entries(FILE, AGAIN, folder).get(SMOLLM2.folder.name, {})
    if entry.get(HASH) != _hash() or entry["sizes"] != _sizes(config):
        return None
    return tuple(_read(each) for each in entry["sentences"])


def measure_real() -> dict[str, object]:
    """Return the results of the real model with the hash of its weights and the settings."""
    source = source_name(SMOLLM2.folder.name)
    found = [compare_real(source, text) for text in tqdm(BEGINNINGS, unit="sentence")]
    model = find(source).pretrained
    assert model is not None, "the sentences were read by it"
    settings = {"sizes": _sizes(model.config), "position": "last", "window": None}
    return {HASH: _hash(), **settings, "sentences": list(map(astuple, found))}


def compare_real(source: str, text: str) -> WeightEffectComparison:
    """Compare weights and changes of a real model for the piece that it predicts next."""
    one = find(source).pretrained
    if one is None:
        raise UnavailableError("{title} is no real model.", title=source)
    return compare_at_last(text, load(source, one.config, one.split(text).texts, 0))


def main() -> None:
    """Measure the default real model, and write the results."""
    write_numbers(FILE, {SMOLLM2.folder.name: measure_real()})
    entries.cache_clear()


def _read(each: Sequence[Any]) -> WeightEffectComparison:
    """Return a comparison from its kept numbers, with its nested comparison."""
    own, later = each[:OWN], each[OWN:]
    return replace(WeightEffectComparison(*own), later=_read(later[0]) if later and later[0] else None)


def _hash() -> str:
    """Return the hash of the weights file, with which set-up verified it."""
    return next(iter(SMOLLM2.hashes.values()))


def _sizes(config: ModelConfig) -> list[int]:
    """Return the sizes that distinguish another model in a folder of the same name."""
    return [config.vocab_size, config.d_model, config.n_heads, config.n_layers]


if __name__ == "__main__":
    main()
