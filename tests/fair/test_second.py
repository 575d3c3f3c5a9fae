"""Version 2 of the fair dice: even, and the same whatever is played."""

from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.fair.games import EDITIONS, SECRET, SHORT, play_fairly

from dicetown import Game, Ruleset
from dicetown.errors import IllegalAction
from dicetown.fair import Fair, commit_to_word, commitment, dice_of, new_secret, numbers, second, verify
from dicetown.fair.first import mix
from dicetown.fair.second import key_of
from dicetown.game.notation import Move, Outcome
from dicetown.game.record import GameRecord
from dicetown.rules.layout import copy
from dicetown.testing import random_move


def test_secrets_are_long_and_never_the_same() -> None:
    assert len(new_secret()) == 32
    assert len({new_secret() for _ in range(50)}) == 50


def test_commitments_tell_seats_and_secrets_apart() -> None:
    assert commitment(SECRET) != commitment(bytes(32))
    bound = {commit_to_word(seat, word) for seat in range(5) for word in ("", "a", "0:a", "1:a")}
    assert len(bound) == 20


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_other_words_make_another_key_however_they_are_cut(some: list[str], others: list[str]) -> None:
    assume(some != others)
    assert key_of(SECRET, some) != key_of(SECRET, others)


# ----------------------------------------------------------------------------------- even


def test_numbers_that_would_favour_some_outcomes_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one byte instead of eight: 256 = 7 · 36 + 4, so four are thrown away, and each place has 7."""
    monkeypatch.setattr(numbers, "_BYTES", 1)
    monkeypatch.setattr(numbers, "_RANGE", 256)

    def first_byte(key: bytes, message: bytes) -> bytes:
        n, k = map(int, message.decode().split(":"))
        return bytes([n if k == 0 else 255 - k])  # 254, 253, 252 are thrown away as well, 251 counts

    monkeypatch.setattr(numbers, "digest", first_byte)
    counts = Counter(numbers.below(b"", str(n), 36) for n in range(252))
    assert counts == dict.fromkeys(range(36), 7)
    assert [numbers.below(b"", str(n), 36) for n in range(252, 256)] == [251 % 36] * 4


@pytest.mark.parametrize("label", ["dice:{}:0:0", "dice:{}:1:1", "tuna:{}:0:1", "draw:0:{}"])
def test_numbers_are_even_by_chi_square(label: str) -> None:
    key, rolls = key_of(SECRET, ["a", "b"]), 12_000
    counts = Counter(numbers.below(key, label.format(n), 6) for n in range(rolls))
    chi_square = sum((counts[face] - rolls / 6) ** 2 / (rolls / 6) for face in range(6))
    assert chi_square < 15.1  # 1 in 100 for 5 degrees of freedom; the key is fixed, so this never flickers


def test_the_two_dice_of_a_roll_have_nothing_to_do_with_each_other() -> None:
    key, rolls = key_of(SECRET, ["a", "b"]), 36_000
    pairs = Counter(
        tuple(numbers.below(key, f"dice:{turn}:0:{die}", 6) for die in (0, 1)) for turn in range(rolls)
    )
    chi_square = sum((pairs[a, b] - rolls / 36) ** 2 / (rolls / 36) for a in range(6) for b in range(6))
    assert chi_square < 57.3  # 1 in 100 for 35 degrees of freedom


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_card_is_drawn_at_exactly_as_many_places_as_it_has_copies(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted over all places, so that nothing is left to chance."""
    game, rng = Game(Ruleset(edition), players=3, chance="manual"), Random(3)
    dice = dice_of(2, SECRET, ["", "", ""])
    for _ in range(60):
        if game.phase == "build" and game.waits_for_chance:
            outcomes = game.chance_outcomes()
            limits: list[int] = []
            monkeypatch.setattr(
                second, "below", lambda key, label, limit, told=limits: told.append(limit) or 0
            )
            dice.fall(game)
            drawn = []
            for place in range(limits[0]):
                monkeypatch.setattr(second, "below", lambda key, label, limit, at=place: at)
                drawn.append(dice.fall(game).text)
            assert Counter(drawn) == {outcome.text: share * limits[0] for outcome, share in outcomes}
        game.play(random_move(game, rng))


def test_nothing_falls_while_somebody_has_to_decide() -> None:
    with pytest.raises(IllegalAction, match="Neither dice nor a card"):
        dice_of(2, bytes(32), ["", ""]).fall(Game(Ruleset("deluxe", sets=["base"]), chance="manual"))


# ----------------------------------------------------------- the same, whatever is played


def dice_by_label(game: Game) -> dict[tuple[str, int, int, int], int]:
    """The faces of all dice of a game: by turn, roll of the turn and die; those for tuna apart."""
    faces: dict[tuple[str, int, int, int], int] = {}
    turn, roll, tuna = -1, 0, 0
    for move in game.moves:
        word, *rest = move.text.split()
        if word == "roll":
            turn, roll, tuna = turn + 1, 0, 0
        elif word == "reroll":
            roll = 1
        elif word in ("dice", "tuna"):
            for die, face in enumerate(rest):
                faces[word, turn, roll if word == "dice" else tuna, die] = int(face)
            tuna += word == "tuna"
    return faces


def draws_by_deck(game: Game) -> dict[int, list[str]]:
    """What was drawn from each deck, in order."""
    drawn: dict[int, list[str]] = {}
    for move in game.moves:
        word, *rest = move.text.split()
        if word == "draw":
            drawn.setdefault(int(game.tables.row_of[game.notation.numbers[rest[0]]]), []).append(rest[0])
    return drawn


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(EDITIONS), st.integers(0, 2**32), st.integers(0, 2**32))
def test_whatever_is_decided_the_dice_of_every_turn_are_the_same(edition: str, one: int, other: int) -> None:
    """Forty pairs of games with decks: one die or two, rolled again or kept, whatever is built."""
    ruleset = Ruleset(edition, house=SHORT)
    first, second = (play_fairly(ruleset, ["uno", "dos"], seed) for seed in (one, other))
    faces, others = dice_by_label(first), dice_by_label(second)
    shared = faces.keys() & others.keys()
    turns = min(max(label[1] for label in labels) for labels in (faces, others))
    assert {label[1] for label in shared if label[0] == "dice"} == {*range(turns + 1)}
    assert all(faces[label] == others[label] for label in shared)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(EDITIONS), st.integers(0, 2**32), st.integers(0, 2**32))
def test_a_deck_lies_in_one_order_from_the_beginning(edition: str, one: int, other: int) -> None:
    ruleset = Ruleset(edition, house=SHORT)
    first, second = (draws_by_deck(play_fairly(ruleset, ["uno", "dos"], seed)) for seed in (one, other))
    for deck in first.keys() & second.keys():
        drawn = min(len(first[deck]), len(second[deck]))
        assert first[deck][:drawn] == second[deck][:drawn]


@given(st.sampled_from(EDITIONS), st.integers(0, 2**32), st.integers(1, 80))
def test_taking_choices_back_never_changes_the_next_die(edition: str, seed: int, steps: int) -> None:
    """Whatever is decided, undone and decided again before a die falls: the die is the same."""
    game = Game(Ruleset(edition, house=SHORT), players=3, chance="manual")
    dice, rng = dice_of(2, SECRET, ["", "", ""]), Random(seed)

    def after(played: Game, move: Move) -> Outcome | None:
        played.play(move)
        return dice.fall(played) if played.waits_for_chance else None

    for _ in range(steps):
        if game.over:
            break
        if game.waits_for_chance:
            game.play(dice.fall(game))
            continue
        before, first = copy(game.state), random_move(game, rng)
        drawn = after(game, first)
        game.undo()
        game.play(rng.choice(game.legal_actions()))
        game.undo()
        assert (game.state.array == before.array).all()
        assert after(game, first) == drawn


# ------------------------------------------------------------------------- who could choose


def test_who_reads_everything_before_the_words_are_bound_cannot_choose_the_dice() -> None:
    """The old attack, step by step: read the others' words, and look for one of one's own that suits.

    In version 1 the seeker finds it, for all that goes into the dice is known while their word is still open.
    In version 2 another word no longer fits what the seeker was bound to, at a time when all that was known
    of Ana's word was its commitment.
    """
    ana, wished = "9f" * 32, [6, 6, 6]

    def rolls_old(word: str) -> list[int]:
        key = mix(SECRET, [ana, word])
        return [1 + numbers.below(key, str(n), 6) for n in range(3)]

    def rolls_new(word: str) -> list[int]:
        key = key_of(SECRET, [ana, word])
        return [1 + numbers.below(key, f"dice:{n}:0:0", 6) for n in range(3)]

    sought = [f"ground {n}" for n in range(3000)]
    assert any(rolls_old(word) == wished for word in sought)  # it was easy

    bound: list[str | None] = [commit_to_word(0, ana), commit_to_word(1, "the word before")]
    best = next(word for word in sought if rolls_new(word) == wished)
    assert commit_to_word(1, best) != bound[1]
    game = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Bo"], chance="manual")
    dice = dice_of(2, SECRET, [ana, best])
    rng = Random(1)
    while not game.over and len(game.moves) < 50:
        game.play(dice.fall(game) if game.waits_for_chance else random_move(game, rng))
    record = GameRecord.read(game.save())
    record.fair = Fair(commitment(SECRET), SECRET.hex(), [ana, best], 2, bound, closed=True)
    verdict = verify(record)
    assert (verdict.finding, verdict.seat) == ("wrong_word", 1)
    # Nor does it help to change the commitment afterwards: Ana's page has seen the one from before.
    record.fair = Fair(
        commitment(SECRET), SECRET.hex(), [ana, best], 2, [bound[0], commit_to_word(1, best)], True
    )
    assert verify(record).holds
    assert verify(record, committed={1: commit_to_word(1, "the word before")}).finding == "other_commitment"
