"""Fair dice: every die follows from what was promised, and nothing that is changed goes unnoticed."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.running import Run

from dicetown import Game, NotationError, Ruleset, fair
from dicetown.errors import IllegalAction
from dicetown.fair import Fair, commitment, draw, mix, new_secret, verify
from dicetown.notation import Move, Outcome
from dicetown.record import GameRecord
from dicetown.rules.layout import copy
from dicetown.testing import random_move

DOCUMENT = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))
EDITIONS = ("ciudad", "deluxe", "grossstadt", "neue_stadt")
SHORT = {"max_turns": 12}


def fair_game(
    ruleset: Ruleset, names: list[str], words: list[str], seed: int = 1, most: int = 10_000
) -> GameRecord:
    """The record of a game that anything is decided in, with dice by the secret."""
    game = Game(ruleset, names=names, chance="manual")
    key, rng, chances = mix(SECRET, words), Random(seed), 0
    while not game.over and len(game.moves) < most:
        if game.waits_for_chance:
            game.play(draw(key, chances, game))
            chances += 1
        else:
            game.play(random_move(game, rng))
    record = GameRecord.read(game.save())
    record.fair = Fair(commitment(SECRET), SECRET.hex(), words)
    return record


def changed(record: GameRecord, **values: Any) -> GameRecord:
    """A record with something else in it."""
    return GameRecord.read(json.dumps(json.loads(record.to_json()) | values))


def chances_in(record: GameRecord) -> list[int]:
    """Where a record has dice and draws."""
    return [k for k, move in enumerate(record.moves) if move.split()[0] in ("dice", "tuna", "draw")]


RECORDS = {
    edition: fair_game(Ruleset(edition, house=SHORT), ["Ana", "Ben", "Caro"], ["uno", "", "ñandú"])
    for edition in EDITIONS
}


# ------------------------------------------------------------------------- the algorithm


def test_the_program_in_the_documentation_computes_what_dicetown_draws(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(compile(program, "fairness.md", "exec"), {})
    promised, dice = capsys.readouterr().out.splitlines()
    key = mix(SECRET, ["Hafen", "", "ñandú"])
    assert promised.split() == [commitment(SECRET), key.hex()]
    game = Game(Ruleset("deluxe", sets=["base"]), players=3, chance="manual")
    game.play("roll 1")
    assert json.loads(dice) == [int(draw(key, n, game).text.split()[1]) for n in range(6)]
    assert all(value in DOCUMENT for value in (commitment(SECRET), key.hex(), str(json.loads(dice))[1:-1]))


def test_secrets_are_long_and_never_the_same() -> None:
    assert len(new_secret()) == 32
    assert len({new_secret() for _ in range(50)}) == 50


def test_the_commitment_is_the_fingerprint_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_other_words_make_another_key_however_they_are_cut(some: list[str], others: list[str]) -> None:
    assume(some != others)
    assert mix(SECRET, some) != mix(SECRET, others)


def test_two_dice_are_the_quotient_and_the_remainder() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 0, "market": "stacks"}), chance="manual")
    game.play("roll 2")
    key = mix(SECRET, ["", ""])
    for n in range(50):
        place = fair._below(key, n, 36)
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
            monkeypatch.setattr(fair, "_below", lambda key, n, limit, told=limits: told.append(limit) or 0)
            draw(b"", 0, game)
            monkeypatch.setattr(fair, "_below", lambda key, n, limit: n)
            found = Counter(draw(b"", place, game).text for place in range(limits[0]))
            assert found == {outcome.text: share * limits[0] for outcome, share in outcomes}
        game.play(random_move(game, rng))


def test_numbers_that_would_favour_some_outcomes_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one byte instead of eight: 256 = 7 · 36 + 4, so four are thrown away, and each place has 7."""
    monkeypatch.setattr(fair, "_DRAW_BYTES", 1)
    monkeypatch.setattr(fair, "_RANGE", 256)

    def first_byte(key: bytes, message: bytes) -> bytes:
        n, k = map(int, message.decode().split(":"))
        return bytes([n if k == 0 else 255 - k])  # 254, 253, 252 are thrown away as well, 251 counts

    monkeypatch.setattr(fair, "_digest", first_byte)
    counts = Counter(fair._below(b"", n, 36) for n in range(252))
    assert counts == dict.fromkeys(range(36), 7)
    assert [fair._below(b"", n, 36) for n in range(252, 256)] == [251 % 36] * 4


def test_dice_are_even_by_chi_square() -> None:
    key, rolls = mix(SECRET, ["a", "b"]), 36_000
    counts = Counter(fair._below(key, n, 36) for n in range(rolls))
    chi_square = sum((counts[place] - rolls / 36) ** 2 / (rolls / 36) for place in range(36))
    assert chi_square < 57.3  # 1 in 100 for 35 degrees of freedom; the key is fixed, so this never flickers


def test_nothing_is_drawn_while_somebody_has_to_decide() -> None:
    with pytest.raises(IllegalAction, match="Neither dice nor a card"):
        draw(bytes(32), 0, Game(Ruleset("deluxe", sets=["base"]), chance="manual"))


# ----------------------------------------------------------------------------- verifying


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fair_game_holds(edition: str) -> None:
    verdict = verify(RECORDS[edition])
    assert verdict.holds
    assert verdict.chances == len(chances_in(RECORDS[edition])) > 0
    assert verify(RECORDS[edition].to_json()) == verdict


def test_a_game_that_stops_in_the_middle_holds_as_far_as_it_goes() -> None:
    for most in range(1, 30):
        record = fair_game(Ruleset("deluxe"), ["Ana", "Ben"], ["", ""], most=most)
        assert verify(record).finding == "holds"


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
def test_another_word_is_found(seat: int, word: str) -> None:
    record = RECORDS["deluxe"]
    assert record.fair is not None
    words = list(record.fair.words)
    assume(words[seat] != word)
    words[seat] = word
    verdict = verify(
        changed(record, fair={"commitment": commitment(SECRET), "secret": SECRET.hex(), "words": words})
    )
    assert verdict.finding in ("wrong_chance", "missing_chance")
    assert verdict.move is not None


def test_another_secret_is_found_by_its_commitment() -> None:
    record = RECORDS["ciudad"]
    promise = {"commitment": commitment(SECRET), "secret": bytes(32).hex(), "words": ["", "", ""]}
    verdict = verify(changed(record, fair=promise))
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
    kept = {"commitment": commitment(SECRET), "secret": None, "words": ["", "", ""]}
    assert verify(changed(record, fair=kept)).finding == "not_revealed"


# ------------------------------------------------------------------------- taking back


@given(st.sampled_from(EDITIONS), st.integers(0, 2**32), st.integers(1, 80))
def test_taking_choices_back_never_changes_the_next_die(edition: str, seed: int, steps: int) -> None:
    """Whatever is decided, undone and decided again before a die falls: the die is the same."""
    game, key, rng = (
        Game(Ruleset(edition, house=SHORT), players=3, chance="manual"),
        mix(SECRET, []),
        Random(seed),
    )

    def after(played: Game, move: Move) -> Outcome | None:
        played.play(move)
        return draw(key, chances, played) if played.waits_for_chance else None

    for _ in range(steps):
        if game.over:
            break
        chances = sum(isinstance(move, Outcome) for move in game.moves)
        if game.waits_for_chance:
            game.play(draw(key, chances, game))
            continue
        before, first = copy(game.state), random_move(game, rng)
        drawn = after(game, first)
        game.undo()
        game.play(rng.choice(game.legal_actions()))
        game.undo()
        assert (game.state.array == before.array).all()
        assert after(game, first) == drawn


def test_a_die_depends_on_nothing_but_its_number_and_the_key() -> None:
    key = mix(SECRET, ["", ""])
    one, other = (Game(Ruleset("deluxe", sets=["base"]), chance="manual") for _ in range(2))
    for game, build in ((one, "build cafe"), (other, "pass")):
        for move in ("roll 1", "dice 2", build, "roll 1"):
            game.play(move)
    assert [draw(key, n, one) for n in range(20)] == [draw(key, n, other) for n in range(20)]


# --------------------------------------------------------------------------- in a record


def test_a_record_keeps_what_was_promised_and_reads_it_back() -> None:
    record = RECORDS["neue_stadt"]
    again = GameRecord.read(record.to_json())
    assert again == record
    assert json.loads(record.to_json())["fair"] == {
        "commitment": commitment(SECRET),
        "secret": SECRET.hex(),
        "words": ["uno", "", "ñandú"],
    }


def test_a_record_without_a_promise_looks_as_it_always_did() -> None:
    assert "fair" not in json.loads(Game(Ruleset("deluxe"), seed=1).save())


@pytest.mark.parametrize(
    ("promise", "sentence"),
    [
        ({"commitment": "xyz", "secret": None, "words": ["", "", ""]}, "commitment"),
        ({"commitment": "AB" * 32, "secret": None, "words": ["", "", ""]}, "commitment"),
        ({"commitment": "ab" * 32, "secret": "12", "words": ["", "", ""]}, "secret"),
        ({"commitment": "ab" * 32, "words": ["", "", ""]}, "secret"),
        ({"commitment": "ab" * 32, "secret": None, "words": ["", 3, ""]}, "words"),
        ({"commitment": "ab" * 32, "secret": None, "words": [""]}, "3 players have 1 words for the dice"),
        ({"commitment": "ab" * 32, "secret": None, "words": ["", "", ""], "dice": 6}, "dice"),
        ("none", "fair"),
    ],
)
def test_a_promise_that_is_none_is_refused_with_a_sentence(promise: object, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        changed(RECORDS["deluxe"], fair=promise)
    assert sentence in str(refusal.value)


# ------------------------------------------------------------------------- on the command line


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    RECORDS["deluxe"].write(file)
    return file


def test_verify_says_that_all_dice_follow(dicetown: Run, saved: Path) -> None:
    ran = dicetown("verify", saved)
    count = len(chances_in(RECORDS["deluxe"]))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"All {count} dice and draws follow from the secret that was promised.\n"


@pytest.mark.parametrize(
    ("language", "words"), [("en", "should be"), ("es", "debería ser"), ("de", "müsste")]
)
def test_verify_names_the_move_and_both_dice_in_three_languages(
    dicetown: Run, tmp_path: Path, language: str, words: str
) -> None:
    record = RECORDS["deluxe"]
    at = next(k for k, move in enumerate(record.moves) if move.startswith("dice"))
    due = record.moves[at]
    other = next(text for text in ("dice 1", "dice 2") if text != due)
    changed(record, moves=[*record.moves[:at], other, *record.moves[at + 1 :]]).write(tmp_path / "game.json")
    ran = dicetown("verify", tmp_path / "game.json", "--lang", language)
    assert ran.status == 1
    assert words in ran.out
    assert f" {at + 1} " in ran.out
    assert all(f" {text.split()[1]}" in ran.out for text in (due, other))


def test_verify_names_drawn_cards_as_they_are_printed(dicetown: Run, tmp_path: Path) -> None:
    record = RECORDS["deluxe"]
    at = chances_in(record)[0]
    record = changed(record, moves=[*record.moves[:at], "roll 1", *record.moves[at:]])
    record.write(tmp_path / "game.json")
    ran = dicetown("verify", tmp_path / "game.json")
    assert ran.status == 1
    assert "At move 1 chance is due (the card " in ran.out
    assert 'goes on with "roll 1".' in ran.out
    assert "_" not in ran.out


def test_verify_says_what_cannot_be_verified_in_one_sentence(dicetown: Run, tmp_path: Path) -> None:
    record = RECORDS["ciudad"]
    changed(record, fair=None).write(tmp_path / "plain.json")
    kept = {"commitment": commitment(SECRET), "secret": None, "words": ["", "", ""]}
    changed(record, fair=kept).write(tmp_path / "kept.json")
    other = {"commitment": commitment(bytes(32)), "secret": SECRET.hex(), "words": ["", "", ""]}
    changed(record, fair=other).write(tmp_path / "other.json")
    for file, sentence in [
        ("plain", "Nothing was promised about the dice of this game, so there is nothing to verify.\n"),
        ("kept", "The secret has not been revealed yet; that happens when the game is over.\n"),
        ("other", "The secret is not the one that was promised before the game.\n"),
    ]:
        ran = dicetown("verify", tmp_path / f"{file}.json")
        assert (ran.status, ran.out) == (1, sentence)


def test_verify_checks_several_records_and_names_each(dicetown: Run, saved: Path, tmp_path: Path) -> None:
    changed(RECORDS["ciudad"], fair=None).write(tmp_path / "plain.json")
    ran = dicetown("verify", saved, tmp_path / "plain.json")
    assert ran.status == 1
    first, second = ran.out.splitlines()
    assert first.startswith(f"{saved}: All ")
    assert second.startswith(f"{tmp_path / 'plain.json'}: Nothing was promised")


def test_verify_prints_json_for_programs(dicetown: Run, saved: Path) -> None:
    ran = dicetown("verify", saved, "--json")
    found = json.loads(ran.out)
    assert found["holds"] is True
    assert found["records"] == [
        {
            "file": str(saved),
            "holds": True,
            "finding": "holds",
            "chances": len(chances_in(RECORDS["deluxe"])),
            "move": None,
            "expected": None,
            "found": None,
        }
    ]


def test_verify_refuses_what_is_no_record(dicetown: Run, tmp_path: Path) -> None:
    ran = dicetown("verify", tmp_path / "missing.json")
    assert ran.status == 2
    assert "cannot be read" in ran.err
