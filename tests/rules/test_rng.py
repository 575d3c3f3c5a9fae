"""Random numbers: the published algorithm, evenly spread, and a function of seed, game and number alone."""

from collections import Counter
from types import SimpleNamespace

import pytest

from dicetown import Game, Ruleset
from dicetown.rules.chance import draw_outcome, find_outcomes
from dicetown.rules.layout import OUTCOMES, copy, new
from dicetown.rules.rng import below, multiply_high, next_block, seeded, start

LOW = 0xFFFFFFFF

#: Known answers of Random123 (kat_vectors: philox4x32 10): counter words, key words, result words.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((LOW,) * 4, (LOW,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_philox_gives_the_known_answers(counter: tuple, key: tuple, words: tuple) -> None:
    """The block's number is the low half of the counter, the game's the high half, the seed is the key."""
    # As a record of Python's integers: no game ever counts to such blocks.
    rng = SimpleNamespace(
        block=counter[0] | counter[1] << 32,
        game_low=counter[2],
        game_high=counter[3],
        seed_low=key[0],
        seed_high=key[1],
        words=[0] * 4,
        left=0,
    )
    next_block(rng)
    assert tuple(reversed(rng.words)) == words
    assert rng.left == 4


def test_the_words_of_a_block_are_used_in_their_order() -> None:
    rng = seeded(0)
    drawn = [below(rng, 1 << 31) for _ in range(4)]
    assert drawn == [word >> 1 for word in KNOWN[0][2]]


def test_seed_and_game_reach_the_numbers_with_all_their_bits() -> None:
    firsts = {
        below(seeded(seed, game), 1 << 31) for seed in (0, 1, 1 << 32, 1 << 62) for game in (0, 1, 1 << 32)
    }
    assert len(firsts) == 12


def test_a_game_number_is_not_a_place_in_the_same_stream() -> None:
    """Games do not overlap: no number of game 1 can be found by reading game 0 further."""
    one = [below(seeded(7, 0), 1 << 31) for _ in range(1)]
    stream = seeded(7, 1)
    assert one[0] not in {below(stream, 1 << 31) for _ in range(1000)}


def test_multiply_high_is_the_upper_half_of_the_product() -> None:
    for a in (0, 1, LOW, 0xD2511F53, 0x80000000):
        for b in (0, 1, 6, LOW, 0x80000001):
            assert multiply_high(a, b) == (a * b) >> 32


def chi_square(counts: list[int], shares: list[float]) -> float:
    total, weight = sum(counts), sum(shares)
    expected = [total * share / weight for share in shares]
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


#: The value that a fair source exceeds once in a thousand, by the number of cases.
LIMITS = {2: 10.8, 3: 13.8, 4: 16.3, 6: 20.5, 7: 22.5, 13: 32.9, 36: 66.6}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("bound", [2, 6, 7, 13, 36])
def test_numbers_below_a_bound_are_evenly_spread(bound: int, seed: int) -> None:
    rng = seeded(seed)
    counts = Counter(below(rng, bound) for _ in range(bound * 500))
    assert sorted(counts) == list(range(bound))
    assert chi_square([counts[k] for k in range(bound)], [1] * bound) < LIMITS[bound]


def test_a_number_says_nothing_about_the_next() -> None:
    rng = seeded(4)
    drawn = [below(rng, 6) for _ in range(20_000)]
    pairs = Counter(zip(drawn[::2], drawn[1::2], strict=True))
    assert chi_square([pairs[a, b] for a in range(6) for b in range(6)], [1] * 36) < LIMITS[36]


def test_first_throws_of_many_games_are_fair_dice() -> None:
    """A simulation uses one seed and counts games; its first throws must be as fair as a stream."""
    throws = Counter(below(seeded(9, game), 36) for game in range(10_000))
    assert chi_square([throws[k] for k in range(36)], [1] * 36) < LIMITS[36]


def test_one_of_one_is_always_the_first() -> None:
    rng = seeded(1)
    assert {below(rng, 1) for _ in range(100)} == {0}


# ---------------------------------------------------------------------- chance of a game


@pytest.mark.parametrize("dice", [1, 2])
def test_dice_fall_on_every_face_alike(dice: int) -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 0}), seed=1)
    game.chance = "manual"
    game.play(f"roll {dice}")
    rng = seeded(2)
    counts = Counter(draw_outcome(game.tables, game.state, rng) for _ in range(9_000))
    outcomes = [outcome.number for outcome, _ in game.chance_outcomes()]
    assert sorted(counts) == sorted(outcomes)
    assert chi_square([counts[one] for one in outcomes], [1] * len(outcomes)) < LIMITS[len(outcomes)]


def test_cards_are_drawn_in_proportion_to_the_copies_left() -> None:
    marks = "harbor*2 train_station*2 shopping_mall*2 amusement_park*2 radio_tower*2 airport*2"
    text = (
        f"ciudad base+harbor {{}} | 9 | 9 | market cafe {marks} | deck mine*6 forest*3 ranch tuna_boat*2 | "
    )
    game = Game.from_position(text + "turn=0 phase=build", chance="manual")
    game.play("build cafe")
    before, rng, found = copy(game.state), seeded(3), new(OUTCOMES)
    counts = Counter(draw_outcome(game.tables, game.state, rng) for _ in range(8_000))
    find_outcomes(game.tables, game.state, found)
    cards, weights = found.outcome[: found.count].tolist(), found.weight[: found.count].tolist()
    assert sorted(counts) == sorted(cards)
    assert {game.notation.things[card]: weight for card, weight in zip(cards, weights, strict=True)} == {
        "mine": 6, "forest": 3, "ranch": 1, "tuna_boat": 2,
    }  # fmt: skip
    assert chi_square([counts[card] for card in cards], weights) < LIMITS[4]
    assert (before.array == game.state.array).all(), "drawing looks, it does not touch"


def test_a_row_is_drawn_for_from_its_own_deck() -> None:
    game = Game(Ruleset("grossstadt"), players=3, seed=1)
    rows = {0: set(), 1: set(), 2: set()}  # type: dict[int, set[str]]
    for event in game.events[:-1]:
        rows[event.row].add(event.thing)  # type: ignore[union-attr]
    cards = {card.id: card for card in game.ruleset.cards}
    assert [len(rows[row]) for row in rows] == [5, 5, 2]
    assert all(not cards[card].major and cards[card].rolls[-1] <= 6 for card in rows[0])
    assert all(not cards[card].major and cards[card].rolls[-1] > 6 for card in rows[1])
    assert all(cards[card].major for card in rows[2])


def test_a_seed_and_a_game_are_kept_in_two_halves_each() -> None:
    rng = seeded((7 << 32) + 5, (3 << 32) + 2)
    assert (rng.seed_low, rng.seed_high, rng.game_low, rng.game_high) == (5, 7, 2, 3)


def test_numbers_begin_anew_wherever_they_were() -> None:
    rng = seeded(7, 3)
    first = [below(rng, 1000) for _ in range(6)]  # one block and a half
    start(rng, 7, 0, 3)
    assert [below(rng, 1000) for _ in range(6)] == first
