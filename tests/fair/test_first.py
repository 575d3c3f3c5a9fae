"""Version 1 of the fair dice, which games that have begun with it keep: exactly as it always was."""

from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.fair.games import EDITIONS, OLD_RECORDS, SECRET, promise

from dicetown import Game, Ruleset
from dicetown.errors import IllegalAction
from dicetown.fair import first, numbers, verify
from dicetown.fair.first import draw, mix
from dicetown.testing import random_move


def test_the_key_and_the_dice_are_those_of_the_first_description() -> None:
    """The example that stood in docs/fairness.md while games were dealt this way."""
    key = mix(SECRET, ["Hafen", "", "ñandú"])
    assert key.hex() == "0489d072fa3cbdd2ccdd9b2ce686b808e2f0957b191f09fccefe92ee6d862c8b"
    game = Game(Ruleset("deluxe", sets=["base"]), players=3, chance="manual")
    game.play("roll 1")
    assert [draw(key, n, game).text for n in range(6)] == [f"dice {face}" for face in (2, 4, 4, 1, 3, 2)]


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_other_words_make_another_key_however_they_are_cut(some: list[str], others: list[str]) -> None:
    assume(some != others)
    assert mix(SECRET, some) != mix(SECRET, others)


def test_two_dice_are_the_quotient_and_the_remainder() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 0, "market": "stacks"}), chance="manual")
    game.play("roll 2")
    key = mix(SECRET, ["", ""])
    for n in range(50):
        place = numbers.below(key, str(n), 36)
        assert draw(key, n, game).text == f"dice {place // 6 + 1} {place % 6 + 1}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_outcome_has_exactly_as_many_places_as_its_weight(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted over all places, so that nothing is left to chance."""
    game, rng = Game(Ruleset(edition), players=3, chance="manual"), Random(3)
    for _ in range(60):
        if game.waits_for_chance:
            outcomes = game.chance_outcomes()
            limits: list[int] = []
            monkeypatch.setattr(
                first, "below", lambda key, label, limit, told=limits: told.append(limit) or 0
            )
            draw(b"", 0, game)
            monkeypatch.setattr(first, "below", lambda key, label, limit: int(label))
            found = Counter(draw(b"", place, game).text for place in range(limits[0]))
            assert found == {outcome.text: share * limits[0] for outcome, share in outcomes}
        game.play(random_move(game, rng))


def test_nothing_is_drawn_while_somebody_has_to_decide() -> None:
    with pytest.raises(IllegalAction, match="Neither dice nor a card"):
        draw(bytes(32), 0, Game(Ruleset("deluxe", sets=["base"]), chance="manual"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_of_version_1_is_verified_as_what_it_was(edition: str) -> None:
    verdict = verify(OLD_RECORDS[edition])
    assert (verdict.holds, verdict.version, verdict.mixed) == (True, 1, [0, 2])
    assert OLD_RECORDS[edition].fair == promise(["uno", "", "ñandú"], version=1)
