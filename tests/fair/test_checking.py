"""Checking fair dice: nothing that is changed, cut off or put in goes unnoticed."""

import json
from typing import Literal

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.fair.games import (
    EDITIONS,
    OLD_RECORDS,
    RECORDS,
    SECRET,
    SHORT,
    WORDS,
    chances_in,
    changed,
    fair_record,
    promise,
    promising,
)

from dicetown import Game, NotationError, Ruleset
from dicetown.fair import commit_to_word, commitment, verify
from dicetown.game.record import GameRecord

# ----------------------------------------------------------------------------- verifying


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fair_game_holds(edition: str) -> None:
    verdict = verify(RECORDS[edition])
    assert verdict.holds
    assert verdict.chances == len(chances_in(RECORDS[edition])) > 0
    assert verify(RECORDS[edition].to_json()) == verdict


@pytest.mark.parametrize("version", [1, 2])
def test_the_tuna_dice_are_fair_too(version: Literal[1, 2]) -> None:
    boats = {"max_turns": 24, "start_coins": 40, "cards": ["wheat_field", "bakery", "tuna_boat"]}
    record = fair_record(Ruleset("ciudad", house=boats), WORDS[:2], seed=1, version=version)
    at = next(k for k, move in enumerate(record.moves) if move.startswith("tuna"))
    assert verify(record).holds
    other = "tuna 1 1" if record.moves[at] != "tuna 1 1" else "tuna 6 6"
    verdict = verify(changed(record, moves=[*record.moves[:at], other, *record.moves[at + 1 :]]))
    assert (verdict.finding, verdict.move) == ("wrong_chance", at + 1)


@pytest.mark.parametrize("records", [RECORDS, OLD_RECORDS], ids=["version 2", "version 1"])
def test_a_record_that_was_cut_off_does_not_hold(records: dict[str, GameRecord]) -> None:
    record = records["deluxe"]
    for most in range(1, len(record.moves), 7):
        assert verify(changed(record, moves=record.moves[:most])).finding == "unfinished"
    assert verify(changed(record, moves=[])).finding == "empty"


def test_a_closed_game_holds_as_far_as_it_goes_and_says_so() -> None:
    record = promising(fair_record(Ruleset("deluxe"), ["uno", ""], most=25), closed=True)
    verdict = verify(record)
    assert (verdict.finding, verdict.closed) == ("holds", True)
    assert verify(changed(record, moves=[])).finding == "empty"


@given(st.sampled_from(EDITIONS), st.data())
def test_any_changed_die_or_draw_is_found_at_its_move(edition: str, data: st.DataObject) -> None:
    record = RECORDS[edition]
    at = data.draw(st.sampled_from(chances_in(record)))
    game = Game.of_record(record)
    for move in record.moves[:at]:
        game.play(move)
    others = [one.text for one, _ in game.chance_outcomes() if one.text != record.moves[at]]
    assume(others)
    other = data.draw(st.sampled_from(others))
    moves = [*record.moves[:at], other, *record.moves[at + 1 :]]
    verdict = verify(changed(record, moves=moves))
    assert (verdict.finding, verdict.move) == ("wrong_chance", at + 1)
    assert (verdict.expected, verdict.found) == (record.moves[at], other)
    assert verdict.chances == chances_in(record).index(at)


@given(st.sampled_from(EDITIONS), st.data())
def test_a_missing_die_or_draw_is_found_at_its_move(edition: str, data: st.DataObject) -> None:
    record = RECORDS[edition]
    at = data.draw(st.sampled_from(chances_in(record)))
    moves = [*record.moves[:at], *record.moves[at + 1 :]]
    assume(at + 1 < len(record.moves))
    verdict = verify(changed(record, moves=moves))
    assert verdict.move is not None
    if record.moves[at + 1].split()[0] != record.moves[at].split()[0]:
        assert (verdict.finding, verdict.move, verdict.expected) == (
            "missing_chance",
            at + 1,
            record.moves[at],
        )
    assert not verdict.holds


@given(st.integers(0, 2), st.text(max_size=8))
def test_another_word_is_found_by_its_commitment(seat: int, word: str) -> None:
    record = RECORDS["deluxe"]
    assume(word not in ("", WORDS[seat]))
    words = [*WORDS[:seat], word, *WORDS[seat + 1 :]]
    verdict = verify(promising(record, words=words))
    assert (verdict.finding, verdict.seat) == ("wrong_word", seat)


@given(st.sampled_from([0, 2]), st.text(min_size=1, max_size=8))
def test_another_word_with_its_own_commitment_is_found_by_the_dice(seat: int, word: str) -> None:
    assume(word != WORDS[seat])
    words = [*WORDS[:seat], word, *WORDS[seat + 1 :]]
    other = json.loads(msgspec.json.encode(promise(words)))
    verdict = verify(promising(RECORDS["deluxe"], **other))
    assert verdict.finding in ("wrong_chance", "missing_chance")


def test_another_word_in_a_game_of_version_1_is_found_by_the_dice() -> None:
    verdict = verify(promising(OLD_RECORDS["deluxe"], words=["uno", "dos", "ñandú"]))
    assert verdict.finding in ("wrong_chance", "missing_chance")


def test_another_secret_is_found_by_its_commitment() -> None:
    verdict = verify(promising(RECORDS["ciudad"], secret=bytes(32).hex()))
    assert verdict.finding == "wrong_commitment"
    assert verdict.expected == commitment(SECRET)
    assert verdict.found == commitment(bytes(32))


def test_a_decision_that_is_not_allowed_is_found() -> None:
    record = RECORDS["deluxe"]
    at = next(k for k, move in enumerate(record.moves) if move.startswith("roll"))
    moves = [*record.moves[:at], "build stadium", *record.moves[at + 1 :]]
    verdict = verify(changed(record, moves=moves))
    assert (verdict.finding, verdict.move, verdict.found) == ("wrong_move", at + 1, "build stadium")


def test_a_record_without_promise_or_with_its_secret_kept_says_so() -> None:
    record = RECORDS["deluxe"]
    assert verify(changed(record, fair=None)).finding == "no_promise"
    assert verify(promising(record, secret=None)).finding == "not_revealed"


# ------------------------------------------------------------------ what only who was there knows


def test_the_verdict_says_whose_words_are_in_the_dice() -> None:
    verdict = verify(RECORDS["deluxe"])
    assert (verdict.mixed, verdict.forfeited) == ([0, 2], [])
    nobody = fair_record(Ruleset("ciudad", house=SHORT), ["", "", ""])
    assert verify(nobody).mixed == []


def test_who_kept_a_promised_word_back_is_named() -> None:
    record = fair_record(Ruleset("ciudad", house=SHORT), ["uno", "", ""])
    bound = [commit_to_word(0, "uno"), commit_to_word(1, "kept back"), None]
    verdict = verify(promising(record, commitments=bound))
    assert (verdict.holds, verdict.mixed, verdict.forfeited) == (True, [0], [1])


def test_what_was_not_given_was_not_checked() -> None:
    record, bound = RECORDS["deluxe"], promise(WORDS).commitments
    shown = {seat: one for seat, one in enumerate(bound) if one is not None}
    assert verify(record).unchecked == ["commitment", "commitments", "word"]
    assert verify(record, commitment(SECRET)).unchecked == ["commitments", "word"]
    assert verify(record, committed={0: shown[0]}, words={0: "uno"}).unchecked == [
        "commitment",
        "commitments",
    ]
    assert verify(record, commitment(SECRET), shown, {2: "ñandú"}).unchecked == []


def test_what_was_shown_before_must_be_what_the_record_has() -> None:
    record, other = RECORDS["deluxe"], "ab" * 32
    verdict = verify(record, other)
    assert (verdict.finding, verdict.seat, verdict.expected) == ("other_commitment", None, other)
    for seat in (0, 1, 2, 7):
        verdict = verify(record, committed={seat: other})
        assert (verdict.finding, verdict.seat) == ("other_commitment", seat)
        verdict = verify(record, words={seat: "dos"})
        assert (verdict.finding, verdict.seat) == ("other_word", seat)


# --------------------------------------------------------------------------- in a record


def test_a_record_keeps_what_was_promised_and_reads_it_back() -> None:
    record = RECORDS["neue_stadt"]
    again = GameRecord.read(record.to_json())
    assert again == record
    old = {"commitment": commitment(SECRET), "secret": SECRET.hex(), "words": WORDS}
    bound = [commit_to_word(0, "uno"), None, commit_to_word(2, "ñandú")]
    assert json.loads(record.to_json())["fair"] == old | {"version": 2, "commitments": bound}
    assert json.loads(OLD_RECORDS["neue_stadt"].to_json())["fair"] == old


def test_a_record_without_a_promise_looks_as_it_always_did() -> None:
    assert "fair" not in json.loads(Game(Ruleset("deluxe"), seed=1).save())


OLD = {"commitment": "ab" * 32, "secret": None, "words": ["", "", ""]}


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ({"commitment": "xyz", "secret": None, "words": ["", "", ""]}, "commitment"),
        ({"commitment": "AB" * 32, "secret": None, "words": ["", "", ""]}, "commitment"),
        ({"commitment": "ab" * 32, "secret": "12", "words": ["", "", ""]}, "secret"),
        ({"commitment": "ab" * 32, "words": ["", "", ""]}, "secret"),
        ({"commitment": "ab" * 32, "secret": None, "words": ["", 3, ""]}, "words"),
        ({"commitment": "ab" * 32, "secret": None, "words": [""]}, "3 players have 1 words for the dice"),
        ({"commitment": "ab" * 32, "secret": None, "words": ["", "", ""], "dice": 6}, "dice"),
        (OLD | {"version": 3}, "version"),
        (OLD | {"version": 2}, "3 players have 0 commitments"),
        (OLD | {"version": 2, "commitments": [None]}, "3 players have 1 commitments"),
        (OLD | {"commitments": [None, None, None]}, "no commitments at all in version 1"),
        (OLD | {"version": 2, "commitments": [None, "xy", None]}, "commitments"),
        ("none", "fair"),
    ],
)
def test_a_promise_that_is_none_is_refused_with_a_sentence(made: object, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        changed(RECORDS["deluxe"], fair=made)
    assert sentence in str(refusal.value)
