"""What people type, paste or damage: our own exceptions come out, or something that can be played.

Texts are mutations of valid ones, which come much further into a parser than noise does, and noise too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.properties.effort import examples

from dicetown import DicetownError, Game, IllegalAction, NotationError, Ruleset
from dicetown.rules.ruleset import SWITCHES
from dicetown.scenario import read_scenarios, run_scenario
from dicetown.testing import games, play_randomly, rulesets, seeds

SCENARIOS = [
    file.read_text(encoding="utf-8") for file in sorted(Path(__file__).parent.glob("scenarios/**/*.yaml"))
]

# ------------------------------------------------------------------------- mutations

#: Numbers that overflow something: bytes, words, floats, the digits Python converts, a reader's patience.
NUMBERS = """
0 -1 1 7 99 127 128 255 32767 32768 65536 9000000 2147483647 2147483648 9223372036854775808 1e9 1.5 0x10 1_0 ٣
NaN -0 +3 true null 1000000000000000000000000000000
"""
#: What a position can say; a word in the wrong place gets further than noise.
WORDS = """
phase=roll phase=reroll phase=add_two phase=order phase=player phase=give phase=take phase=card
phase=landmark phase=build phase=invest phase=dice phase=tuna phase=draw phase=over turn=0 turn=1 turn=-1
dice=1 dice=2 die=3 die=6 other_die=3 total=4 total=8 total=10 total=14 left=1 left=127 acting=5
acting=20 acting=49 hosting=1 host=30 given=2 given_closed=1 partner=1 done=3 refill=7 refill=1
start_left=1 extra_left=99 extra_earned=9 turns=2147483647 winner=0 winner=1 due=1,1,1 due=127 rerolled=1
received=1 built_now=1 row_types=1 coins=3 | {} $9000000 +harbor +train_station +launch_pad stadium~1
cafe*127~127 cafe*0 mine*99 wheat_field~1 tech_startup convention_center*3 moving_company*2~1
demolition_company*5 tuna_boat*6 {"max_turns":1} {"cards":["cafe"]} {"major_limit":null}
{"start_rounds":3}
"""
ODD = [
    "\0",
    "\ud800",
    "\udfff",
    "\u202e",
    "\ufeff",
    "\U0001f3b2",
    "é",
    "ß",
    "İ",
    "\n",
    "\r",
    "\t",
    "\x1b",
    "|",
    '"',
    "{",
    "}",
]
DEEP = ["[" * 100_000, '{"a":' * 5_000, "[" * 990 + "]" * 990, "[" * 500 + "]" * 500, "{" * 300, "- " * 3_000]


@st.composite
def damaged(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A valid text after up to four accidents."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 4))):
        text = draw(_ACCIDENTS)(draw, text)
    return text


def delete_some(draw: st.DrawFn, text: str) -> str:
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text[:start] + text[min(end, start + 40) :]


def repeat_some(draw: st.DrawFn, text: str) -> str:
    start = draw(st.integers(0, len(text)))
    return text[: start + 20] + text[start:]


def replace_a_character(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, max(len(text) - 1, 0)))
    return text[:at] + draw(st.sampled_from(ODD) | st.characters()) + text[at + 1 :]


def change_a_number(draw: st.DrawFn, text: str) -> str:
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    at = draw(st.sampled_from(digits))
    return text[:at] + draw(st.sampled_from([*NUMBERS.split(), "9" * 5000])) + text[at + 1 :]


def swap_two_words(draw: st.DrawFn, text: str) -> str:
    words = text.split(" ")
    one, other = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def put_in_a_word(draw: st.DrawFn, text: str) -> str:
    words = text.split(" ")
    at = draw(st.integers(0, len(words)))
    return " ".join([*words[:at], draw(st.sampled_from(WORDS.split())), *words[at:]])


def replace_a_word(draw: st.DrawFn, text: str) -> str:
    """By one that begins alike where there is one: phase=build becomes phase=tuna."""
    words = text.split(" ")
    at = draw(st.integers(0, len(words) - 1))
    stem = words[at].partition("=")[0] + "="
    alike = [word for word in WORDS.split() if word.startswith(stem)]
    words[at] = draw(st.sampled_from(alike or WORDS.split()))
    return " ".join(words)


def go_deep(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from(DEEP)) + text[at:]


_ACCIDENTS: st.SearchStrategy[Callable[[st.DrawFn, str], str]] = st.sampled_from(
    [
        delete_some, repeat_some, replace_a_character, change_a_number, change_a_number, swap_two_words,
        put_in_a_word, put_in_a_word, replace_a_word, replace_a_word, go_deep,
    ]
)  # fmt: skip


def any_text() -> st.SearchStrategy[str]:
    """Noise of every plane, halves of surrogate pairs and control characters among it."""
    return st.text(st.characters(exclude_categories=()), max_size=200) | st.text(
        '{}[]|":,= 0123456789-+*~$', max_size=60
    )


def goes_on(game: Game, seed: int) -> None:
    """Whatever was accepted can be played on, written down and read back."""
    again = Game.from_position(game.position(), chance="manual")
    assert again.position() == game.position()
    play_randomly(again, Random(seed), 20)
    assert Game.from_position(again.position(), chance="manual").position() == again.position()


# -------------------------------------------------------------------------- positions

MANY = examples(400)


@pytest.mark.slow
@MANY
@given(damaged(games().map(Game.position)), seeds())
def test_a_damaged_position_is_refused_or_can_be_played(text: str, seed: int) -> None:
    with suppress(NotationError):
        goes_on(Game.from_position(text, seed=seed), seed)


@MANY
@given(any_text())
@example("\ud800 base {} | 1 | 1 | market | deck | turn=0 phase=roll")
@example('deluxe base "\ud800" | 1 | 1 | market | deck | turn=0 phase=roll')
def test_noise_is_no_position(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_position(text)


@pytest.mark.parametrize("deep", DEEP, ids=len)
def test_house_rules_nested_too_deep_are_refused_in_a_position(deep: str) -> None:
    for house in (deep, f'{{"cards":{deep}}}', f'{{"start_coins":{deep}}}'):
        with pytest.raises(NotationError):
            Game.from_position(
                f"deluxe base {house.replace(' ', '')} | 1 | 1 | market | deck | turn=0 phase=roll"
            )


# ------------------------------------------------------------------------ saved games


@pytest.mark.slow
@MANY
@given(damaged(games().map(Game.save)), seeds())
def test_a_damaged_saved_game_is_refused_or_can_be_played(text: str, seed: int) -> None:
    with suppress(NotationError):
        game = Game.load("{" + text.lstrip().removeprefix("{"), seed=seed)
        assert Game.load(game.save(), seed=seed).save() == game.save()
        goes_on(game, seed)


#: JSON of any shape, deep and wide.
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.slow
@MANY
@given(games(steps=20).map(Game.save), st.data())
def test_a_saved_game_with_other_values_is_refused_or_can_be_played(text: str, data: st.DataObject) -> None:
    tree = json.loads(text)
    where = data.draw(st.sampled_from(["format", "ruleset", "players", "moves", "edition", "sets", "house"]))
    if where in tree:
        tree[where] = data.draw(JSON)
    elif where == "house":
        switch = data.draw(
            st.sampled_from(["start_coins", "market", "cards", "landmarks", "major_copies", "max_turns"])
        )
        tree["ruleset"]["house"][switch] = data.draw(JSON)
    else:
        tree["ruleset"][where] = data.draw(JSON)
    with suppress(NotationError):
        goes_on(Game.load(json.dumps(tree), seed=1), 1)


@MANY
@given(any_text())
@example("\0")
@example("\ud800")
@example("a" * 5000)
@example("{\ud800")
@example('{"format": "\ud800"}')
def test_noise_is_no_saved_game(text: str) -> None:
    with pytest.raises(NotationError):
        Game.load(text)
    with pytest.raises(NotationError):
        Game.load("{" + text)


@pytest.mark.parametrize("deep", DEEP, ids=len)
def test_a_saved_game_nested_too_deep_is_refused(deep: str) -> None:
    head = '{"format": "dicetown/1", "players": ["A", "B"], "moves": [], "ruleset": '
    house = '{"edition": "ciudad", "sets": ["base"], "house": '
    for text in (
        f"{{{deep}", f"{head}{deep}}}", f"{head}{house}{deep}}}}}", f'{head}{house}{{"cards": {deep}}}}}}}',
        f'{head}{house}{{"start_coins": {deep}}}}}}}',
    ):  # fmt: skip
        with pytest.raises(NotationError):
            Game.load(text)


@given(st.binary(max_size=300))
def test_a_file_of_any_bytes_is_no_saved_game(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("saves") / "game.json"
    file.write_bytes(content)
    with pytest.raises(NotationError, match=r"game\.json"):
        Game.load(file)


# ---------------------------------------------------------------------------- moves


@pytest.mark.slow
@MANY
@given(games(), st.data())
def test_a_damaged_move_is_refused_or_is_a_move(game: Game, data: st.DataObject) -> None:
    texts = [str(action) for action in game.legal_actions()] or ["pass"]
    texts += ["dice 3 4", "draw cafe", "build harbor", "give cafe closed"]
    text = data.draw(damaged(st.sampled_from(texts)) | any_text())
    with suppress(NotationError):
        move = game.notation.parse(text)
        assert game.notation.parse(str(move)) == move
    before = game.position()
    try:
        game.play(text)
    except IllegalAction:
        assert game.position() == before
    else:
        goes_on(game, 1)


# -------------------------------------------------------------------------- rulesets


@pytest.mark.slow
@MANY
@given(rulesets(), st.dictionaries(st.sampled_from([*SWITCHES, "nonsense"]), JSON, max_size=4))
def test_house_rules_of_any_value_are_refused_or_can_be_played(
    ruleset: Ruleset, house: dict[str, Any]
) -> None:
    with suppress(DicetownError):
        game = Game(Ruleset(ruleset.edition.id, sets=ruleset.set_ids, house=house), seed=1)
        goes_on(game, 1)


# ------------------------------------------------------------------------- scenarios


@MANY
@given(damaged(st.sampled_from(SCENARIOS).map(lambda text: text[:3000])))
def test_a_damaged_scenario_file_is_refused_or_judged(text: str) -> None:
    with suppress(DicetownError):
        for scenario in read_scenarios(text):
            run_scenario(scenario)


@MANY
@given(any_text())
def test_noise_is_no_scenario(text: str) -> None:
    with suppress(DicetownError):
        for scenario in read_scenarios(text):
            run_scenario(scenario)


@pytest.mark.parametrize("deep", DEEP, ids=len)
def test_a_scenario_nested_too_deep_is_refused(deep: str) -> None:
    with pytest.raises(DicetownError):
        read_scenarios(f"name: {deep}")
