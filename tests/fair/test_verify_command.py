"""``dicetown verify`` says in words what was found, what it is worth, and what was not checked."""

import json
from pathlib import Path

import pytest
from tests.fair.games import OLD_RECORDS, RECORDS, SECRET, SHORT, chances_in, changed, fair_record, promising
from tests.running import Run

from dicetown import Ruleset
from dicetown.fair import commit_to_word, commitment

UNCHECKED = "Not checked: "
WERE_SHOWN = (
    "whether the players' commitments are the ones that were shown before the words (--commitment SEAT=…)."
)
CUT = "The record stops before the game is over, so it proves nothing: the rest may have been cut off.\n"
SHOWN = [f"--commitment={commitment(SECRET)}"]
SHOWN += [f"--commitment={seat}={commit_to_word(seat, word)}" for seat, word in ((0, "uno"), (2, "ñandú"))]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    RECORDS["deluxe"].write(file)
    return file


def test_verify_says_that_all_dice_follow_and_what_it_has_not_checked(dicetown: Run, saved: Path) -> None:
    ran = dicetown("verify", saved)
    count = len(chances_in(RECORDS["deluxe"]))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"All {count} dice and draws follow from the secret that was promised.",
        "With a word of their own in the dice: Ana, Caro.",
        "Without one: Ben.",
        UNCHECKED
        + "whether the service's commitment is the one that it showed before the game (--commitment).",
        UNCHECKED + WERE_SHOWN,
        UNCHECKED + "whether your own word is in it (--word SEAT=…).",
    ]


def test_verify_checks_all_that_it_is_given(dicetown: Run, saved: Path) -> None:
    ran = dicetown("verify", saved, *SHOWN, "--word", "2=ñandú")
    assert ran.status == 0
    assert "Not checked" not in ran.out
    for wrong, sentence in [
        (f"--commitment={'ab' * 32}", "The commitment of the service in the record is not the one"),
        (f"--commitment=2={'ab' * 32}", "The commitment of Caro in the record is not the one"),
        ("--word=0=dos", "The word of Ana in the record is not the one that you gave."),
        ("--word=9=dos", "The word of 9 in the record is not the one that you gave."),
    ]:
        ran = dicetown("verify", saved, wrong)
        assert ran.status == 1
        assert ran.out.startswith(sentence)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("--commitment=12", "64 hexadecimal digits"),
        ("--commitment=Ana=12", "seats from 0"),
        ("--word=uno", "seats from 0"),
    ],
)
def test_verify_says_how_to_give_what_was_shown(
    dicetown: Run, saved: Path, given: str, sentence: str
) -> None:
    ran = dicetown("verify", saved, given)
    assert ran.status == 2
    assert sentence in ran.err


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([f"--commitment={'ab' * 32}", SHOWN[0]], "--commitment: the service has two that differ"),
        ([f"--commitment=2={'ab' * 32}", *SHOWN], "--commitment: seat 2 has two that differ"),
        (["--word=0=dos", "--word=0=uno"], "--word: seat 0 has two that differ"),
    ],
)
def test_verify_does_not_choose_between_promises(
    dicetown: Run, saved: Path, given: list[str], sentence: str
) -> None:
    ran = dicetown("verify", saved, *given)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err
    assert dicetown("verify", saved, *given[-1:] * 2).status == 0, "the same one twice is no contradiction"


def test_verify_wants_one_record_for_what_was_shown_at_one_table(dicetown: Run, saved: Path) -> None:
    ran = dicetown("verify", saved, saved, "--word=0=uno")
    assert ran.status == 2
    assert "name one record" in ran.err


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "between two games"), ("es", "entre dos partidas"), ("de", "zwischen zwei Partien")],
)
def test_verify_names_who_did_not_reveal_in_three_languages(
    dicetown: Run, tmp_path: Path, language: str, words: str
) -> None:
    record = fair_record(Ruleset("ciudad", house=SHORT), ["uno", "", ""])
    bound = [commit_to_word(0, "uno"), commit_to_word(1, "kept back"), None]
    promising(record, commitments=bound).write(tmp_path / "game.json")
    ran = dicetown("verify", tmp_path / "game.json", "--lang", language)
    assert ran.status == 0
    assert any(line.startswith("Ben ") and words in line for line in ran.out.splitlines())


def test_verify_says_when_somebody_could_have_chosen(dicetown: Run, tmp_path: Path) -> None:
    fair_record(Ruleset("ciudad", house=SHORT), ["", "", ""]).write(tmp_path / "nobody.json")
    OLD_RECORDS["ciudad"].write(tmp_path / "old.json")
    assert (
        "the service only its own secret: it could have chosen."
        in dicetown("verify", tmp_path / "nobody.json").out
    )
    ran = dicetown("verify", tmp_path / "old.json")
    assert ran.status == 0
    assert "whoever ran the service and played could have chosen the dice" in ran.out


def test_verify_says_that_a_game_was_closed(dicetown: Run, tmp_path: Path) -> None:
    record = fair_record(Ruleset("deluxe"), ["uno", ""], most=25)
    promising(record, closed=True).write(tmp_path / "game.json")
    ran = dicetown("verify", tmp_path / "game.json")
    assert ran.status == 0
    assert "The game was closed before it was over; this is as far as it went." in ran.out


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


def test_verify_names_a_decision_that_was_not_allowed(dicetown: Run, tmp_path: Path) -> None:
    record, file = RECORDS["deluxe"], tmp_path / "game.json"
    at = next(k for k, move in enumerate(record.moves) if move.startswith("roll"))
    changed(record, moves=[*record.moves[:at], "build stadium", *record.moves[at + 1 :]]).write(file)
    ran = dicetown("verify", file)
    assert ran.status == 1
    assert f"ove {at + 1} " in ran.out
    assert "build stadium" in ran.out


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
    promising(record, secret=None).write(tmp_path / "kept.json")
    promising(record, commitment=commitment(bytes(32))).write(tmp_path / "other.json")
    promising(record, words=["dos", "", "ñandú"]).write(tmp_path / "word.json")
    changed(record, moves=[]).write(tmp_path / "empty.json")
    changed(record, moves=record.moves[:-1]).write(tmp_path / "cut.json")
    for file, sentence in [
        ("plain", "Nothing was promised about the dice of this game, so there is nothing to verify.\n"),
        ("kept", "The secret has not been revealed yet; that happens when the game is over.\n"),
        ("other", "The secret is not the one that was promised before the game.\n"),
        ("word", "The word of Ana is not the one that was promised before the game.\n"),
        ("empty", "The record has no moves, so there is nothing to verify.\n"),
        ("cut", CUT),
    ]:
        ran = dicetown("verify", tmp_path / f"{file}.json")
        assert (ran.status, ran.out) == (1, sentence)


def test_verify_checks_several_records_and_names_each(dicetown: Run, saved: Path, tmp_path: Path) -> None:
    changed(RECORDS["ciudad"], fair=None).write(tmp_path / "plain.json")
    ran = dicetown("verify", saved, tmp_path / "plain.json")
    assert ran.status == 1
    first, *more, last = ran.out.splitlines()
    assert first.startswith(f"{saved}: All ")
    assert all(line.startswith(f"{saved}: ") for line in more)
    assert last.startswith(f"{tmp_path / 'plain.json'}: Nothing was promised")


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
            "seat": None,
            "version": 2,
            "closed": False,
            "mixed": [0, 2],
            "forfeited": [],
            "unchecked": ["commitment", "commitments", "word"],
        }
    ]


def test_verify_refuses_what_is_no_record(dicetown: Run, tmp_path: Path) -> None:
    ran = dicetown("verify", tmp_path / "missing.json")
    assert ran.status == 2
    assert "cannot be read" in ran.err
