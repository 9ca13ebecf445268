"""A batch of translation feeds the decoder the right words so far and asks for the next one."""

import torch

from core.learning.tasks import IGNORED, TRANSLATION, PairBatch
from core.learning.tasks.translation import with_unknown
from core.text import language, translation
from core.text.language import PAD, START, UNKNOWN, parse
from core.text.translation import END, translate
from core.text.translation.splits import split_of

SIZE = 7


def words_of(row: torch.Tensor, *, source: bool = False) -> list[str]:
    known = (language if source else translation).vocabulary()
    return known.decode(row)


def drawn(step: int = 0, split: str = "test") -> PairBatch:
    batch = TRANSLATION.batch(0, step, SIZE, split=split)  # type: ignore[arg-type]
    assert isinstance(batch, PairBatch)
    return batch


def test_targets_are_the_reference_and_its_end_and_inputs_are_one_word_behind() -> None:
    batch = drawn()
    for i in range(SIZE):
        n_source, n = (int(allowed[i].sum()) for allowed in (batch.source_allowed, batch.allowed))
        sentence = parse(words_of(batch.source[i, :n_source], source=True))
        expected = list(translate(sentence).words)
        assert words_of(batch.tokens[i, :n]) == [START, *expected]
        assert words_of(batch.targets[i, :n]) == [*expected, END]
        assert bool((batch.targets[i, n:] == IGNORED).all())
        assert set(words_of(batch.tokens[i, n:])) <= {PAD}
        assert set(words_of(batch.source[i, n_source:], source=True)) <= {PAD}


def test_training_and_test_batches_are_of_their_split_and_the_same_each_time() -> None:
    for split in ("train", "test"):
        batch, again = drawn(3, split), drawn(3, split)
        assert torch.equal(batch.source, again.source)
        assert torch.equal(batch.targets, again.targets)
        rows = zip(batch.source, batch.source_allowed, strict=True)
        read = [words_of(row[: int(allowed.sum())], source=True) for row, allowed in rows]
        whole = [words for words in read if UNKNOWN not in words]  # training leaves some words out
        assert len(whole) > len(read) / 2
        assert {split_of(parse(words)) for words in whole} == {split}


def test_an_unknown_noun_or_adjective_is_passed_on_and_other_words_stay() -> None:
    sentence = parse(["the", "chef", "gave", "the", "student", "a", "key", "."])
    found, seen = translate(sentence), set()
    for seed in range(300):
        source, target = with_unknown(sentence, found, torch.Generator().manual_seed(seed))
        assert source.count(UNKNOWN) == target.count(UNKNOWN)
        seen |= {
            (ours, theirs) for ours, theirs in zip(sentence.words, source, strict=True) if ours != theirs
        }
        for place, word in enumerate(source):
            if word == UNKNOWN:
                assert sentence.words[place] in ("chef", "student", "key")
    assert seen == {("chef", UNKNOWN), ("student", UNKNOWN), ("key", UNKNOWN)}

    sentence, marked = parse(["mina", "gave", "her", "uncle", "a", "key", "."]), 0
    for seed in range(300):
        source, target = with_unknown(sentence, translate(sentence), torch.Generator().manual_seed(seed))
        if source[3] == UNKNOWN and source.count(UNKNOWN) == 1:
            assert target[:5] == ["ha", "donit", "mina", "al", UNKNOWN], "the mark of the recipient stays"
            marked += 1
    assert marked


def test_parts_of_a_batch_have_all_its_rows_with_their_sources_and_no_padding_that_all_share() -> None:
    batch = drawn()
    parts = batch.parts()
    rows = set()
    for part in parts:
        assert isinstance(part, PairBatch)
        assert torch.equal(part.source_allowed[:, 0, 0], part.source > 0)
        assert bool(part.source_allowed[..., -1].any())
        assert bool(part.allowed[..., -1].any())
        for source, targets in zip(part.source, part.targets, strict=True):
            rows.add((tuple(words_of(source[source > 0], source=True)), tuple(targets[targets > 0].tolist())))
        moved = part.to(torch.device("meta"))
        assert {value.device.type for value in vars(moved).values()} == {"meta"}
    assert rows == {
        (tuple(words_of(source[source > 0], source=True)), tuple(targets[targets > 0].tolist()))
        for source, targets in zip(batch.source, batch.targets, strict=True)
    }
