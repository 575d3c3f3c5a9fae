"""How a scenario is played: forced steps, draws, refusals, what is said when it does not hold."""

from pathlib import Path

import pytest
from tests.running import Run

from dicetown.errors import ScenarioError
from dicetown.scenario import Result, describe_failure, read_scenarios, run_files, run_scenario

BASE = "edition: ciudad\nsets: [base]\n"
TWO = "seats: [{coins: 3}, {coins: 3}]\n"
BOATS = (
    "edition: ciudad\n"
    "seats: [{coins: 9, cards: {tuna_boat: 1}, landmarks: [train_station, harbor]}, {coins: 3}]\n"
)


def run(text: str) -> Result:
    (scenario,) = read_scenarios("name: X\n" + text)
    return run_scenario(scenario)


def passes(text: str) -> bool:
    result = run(text)
    assert result.passed, describe_failure(result)
    return True


def problem(text: str) -> str:
    """The sentence about a scenario that cannot be played to its end."""
    result = run(text)
    assert not result.passed
    assert result.problem is not None
    assert result.problem.endswith(".")
    return result.problem


def differences(text: str) -> list[tuple[str, str, str, str]]:
    result = run(text)
    assert result.problem is None, result.problem
    return [(one.when, one.what, one.expected, one.actual) for one in result.differences]


# ----------------------------------------------------------------- decisions that lack


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("[pass]", "step 1: pass, but the dice have to be rolled first by seat 0; possible: roll: [a]."),
        (
            "[roll: [6], roll: [1]]",
            "step 2: roll: [1], but something has to be built or passed first by seat 0",
        ),
        ("[roll: [1, 1]]", "step 1: roll: [1, 1] is not possible; possible: roll: [a]."),
        (
            "[roll: [6], build: stadium]",
            "step 2: build: stadium is not possible; possible: pass, build: wheat_field",
        ),
        ("[roll: [6], invest: true]", "step 2: invest: true, but something has to be built or passed first"),
    ],
)
def test_a_step_out_of_turn_is_an_error_that_says_what_is_due(play: str, words: str) -> None:
    assert words in problem(f"{BASE}{TWO}play: {play}\n")


def test_the_harbor_has_to_be_decided_first() -> None:
    text = "edition: ciudad\nseats: [{coins: 9, landmarks: [train_station, harbor]}, {}]\n"
    sentence = problem(f"{text}play: [roll: [5, 5], pass]\n")
    assert sentence == (
        "step 2: pass, but the Harbor has to be decided first by seat 0; "
        "possible: add_two: true, add_two: false."
    )


def test_the_tuna_dice_have_to_be_rolled_first() -> None:
    sentence = problem(f"{BOATS}play: [roll: [6, 6], add_two: false, pass]\n")
    assert (
        sentence
        == "step 3: pass, but the tuna dice have to be rolled first by seat 0; possible: tuna: [a, b]."
    )


def test_choices_are_named_as_steps() -> None:
    text = "edition: ciudad\nsets: [base]\nseats: [{cards: {business_center: 1, mine: 2, cafe: 1}}, {}, {}]\n"
    assert problem(f"{text}play: [roll: [6], pass]\n").endswith("possible: give: cafe, give: mine.")
    sentence = problem(f"{text}play: [roll: [6], give: mine, pass]\n")
    assert sentence.endswith("a player has to be chosen first by seat 0; possible: player: 1, player: 2.")
    sentence = problem(f"{text}play: [roll: [6], give: mine, player: 2, pass]\n")
    assert "possible: take: {player: 2, card: wheat_field}, take: {player: 2, card: bakery}." in sentence


def test_nothing_can_follow_the_end_of_the_game() -> None:
    text = f"{BASE}house: {{max_turns: 1}}\n{TWO}play: [roll: [6], pass, roll: [1]]\n"
    assert problem(text) == "step 3: roll: [1], but the game is over."


def test_a_scenario_may_end_before_a_decision_or_a_throw() -> None:
    assert passes(f"{BOATS}play: [roll: [6, 6]]\nexpect: {{phase: add_two, to_move: 0}}\n")
    assert passes(
        f"{BOATS}play: [roll: [6, 6], add_two: false]\nexpect: {{phase: tuna, to_move: 0, coins: [9, 3]}}\n"
    )
    assert passes(f"{BOATS}expect: {{phase: roll, to_move: 0, turn: 0, winner: null}}\n")


# ------------------------------------------------------------------------ forced steps


TRADE = BASE + "seats: [{coins: 0, cards: {business_center: 1, mine: 1}}, {coins: 0, cards: {cafe: 1}}]\n"
TRADED = "expect: {cards: {0: {business_center: 1, cafe: 1}, 1: {mine: 1}}, turn: 1, phase: roll}\n"


@pytest.mark.parametrize(
    "steps",
    [
        "",
        ", give: mine",
        ", player: 1",
        ", take: {player: 1, card: cafe}",
        ", give: mine, take: {player: 1, card: cafe}",
        ", give: mine, player: 1, take: {player: 1, card: cafe}",
        ", give: mine, take: {player: 1, card: cafe}, pass",
        ", pass",
    ],
)
def test_what_happened_by_itself_may_be_written(steps: str) -> None:
    assert passes(f"{TRADE}play: [roll: [6]{steps}]\n{TRADED}")


@pytest.mark.parametrize(
    "steps",
    [
        ", give: cafe",
        ", player: 0",
        ", take: {player: 1, card: mine}",
        ", take: {player: 0, card: cafe}",
        ", take: {player: 1, card: cafe, closed: true}",
        ", take: {player: 1, card: cafe}, give: mine",  # told in the wrong order
        ", give: mine, give: mine",
        ", pass, pass",
        ", decline",
    ],
)
def test_what_did_not_happen_by_itself_may_not_be_written(steps: str) -> None:
    assert "but the dice have to be rolled first by seat 1" in problem(f"{TRADE}play: [roll: [6]{steps}]\n")


def test_a_legal_decision_is_preferred_to_one_that_has_happened() -> None:
    """The first pass happened by itself; the one after the next roll is a decision."""
    text = f"{BASE}seats: [{{coins: 0, cards: {{}}}}, {{coins: 3}}]\n"
    assert passes(f"{text}play: [roll: [6], pass, roll: [6], pass]\nexpect: {{turn: 0}}\n")
    assert passes(f"{text}play: [roll: [6], roll: [6], pass]\nexpect: {{turn: 0}}\n")
    assert "the dice have to be rolled" in problem(f"{text}play: [roll: [6], roll: [6], pass, pass]\n")


def test_a_forced_card_after_a_chosen_player_may_be_written() -> None:
    text = (
        BASE
        + "seats: [{coins: 1, cards: {business_center: 1, mine: 1}}, "
        + "{cards: {cafe: 1}}, {cards: {ranch: 1}}]\n"
    )
    for steps in ("take: {player: 2, card: ranch}", "player: 2", "player: 2, take: {player: 2, card: ranch}"):
        assert passes(
            f"{text}play: [roll: [6], {steps}]\nexpect: {{cards: {{2: {{mine: 1}}}}, phase: build}}\n"
        )
    assert not run(f"{text}play: [roll: [6], take: {{player: 2, card: cafe}}]\n").passed
    assert not run(f"{text}play: [roll: [6], player: 1, take: {{player: 2, card: ranch}}]\n").passed


def test_a_card_is_not_taken_from_another_than_the_chosen_player() -> None:
    text = BASE + "seats: [{coins: 1, cards: {business_center: 1, mine: 1}}, {}, {}]\n"
    sentence = problem(f"{text}play: [roll: [6], player: 1, take: {{player: 2, card: bakery}}]\n")
    assert "step 3: take: {player: 2, card: bakery} is not possible" in sentence


def test_take_does_not_answer_the_television() -> None:
    text = BASE + "seats: [{coins: 1, cards: {tv_station: 1}}, {}, {}]\n"
    result = run(f"{text}play: [roll: [6], take: {{player: 2, card: bakery}}]\n")
    assert result.problem is not None
    assert "a player has to be chosen first" in result.problem


# ------------------------------------------------------------------------------- draws

LINE = (
    "edition: ciudad\n" + TWO + "market: {wheat_field: 1, ranch: 1, bakery: 1, cafe: 1, forest: 1, mine: 1, "
    "stadium: 1, tv_station: 1, publisher: 1, tax_office: 1}\ndeck: {ranch: 1, sushi_bar: 1, tuna_boat: 1}\n"
)
DRAWN = "expect: {market: {wheat_field: 0, ranch: 2, sushi_bar: 1, tuna_boat: 0}, turn: 1}\n"


@pytest.mark.parametrize(
    "steps",
    [
        "draw: [ranch, sushi_bar], build: wheat_field",
        "build: wheat_field, draw: [ranch, sushi_bar]",
        "build: wheat_field, draw: [ranch], draw: [sushi_bar]",
        "draw: [ranch], build: wheat_field, draw: [sushi_bar]",
        "build: wheat_field, expect: {phase: build}, draw: [ranch], expect: {turn: 0}, draw: [sushi_bar]",
    ],
)
def test_draws_may_stand_before_or_after_the_build(steps: str) -> None:
    assert passes(f"{LINE}play: [roll: [6], {steps}]\n{DRAWN}")


def test_draws_that_are_not_written_happen_at_random_and_always_the_same() -> None:
    text = f"{LINE}play: [roll: [6], build: wheat_field]\nexpect: {{turn: 1, phase: roll}}\n"
    assert passes(text)
    assert run(text).events == run(text).events


def test_a_check_without_a_draw_after_it_sees_the_draws_done() -> None:
    assert passes(
        f"{LINE}play: [roll: [6], build: wheat_field, expect: {{turn: 1, phase: roll}}, roll: [6]]\n"
    )


def test_a_draw_with_one_possible_outcome_is_still_a_draw() -> None:
    text = LINE.replace("deck: {ranch: 1, sushi_bar: 1, tuna_boat: 1}", "deck: {mine: 1}")
    due = "expect: {phase: build, to_move: 0, turn: 0, market: {mine: 1}}"
    assert passes(
        f"{text}play: [roll: [6], build: wheat_field, {due}, draw: [mine]]\nexpect: {{market: {{mine: 2}}}}\n"
    )


@pytest.mark.parametrize(
    "steps",
    [
        "roll: [6], draw: [sushi_bar], pass",
        "roll: [6], build: ranch, draw: [sushi_bar, tuna_boat]",
        "roll: [6], draw: [sushi_bar, tuna_boat], build: ranch",
        "draw: [tuna_boat], roll: [6], pass",
        "roll: [6], draw: [tuna_boat]",
    ],
)
def test_forced_draws_left_over_are_an_error(steps: str) -> None:
    assert "is left over" in problem(f"{LINE}play: [{steps}]\n")


def test_a_draw_of_what_the_deck_does_not_hold_is_an_error() -> None:
    sentence = problem(f"{LINE}play: [roll: [6], build: wheat_field, draw: [mine]]\n")
    assert sentence == "step 3: mine cannot be drawn now; possible: sushi_bar, ranch, tuna_boat."


def test_a_market_is_dealt_by_leading_draws_and_the_rest_at_random() -> None:
    text = f"edition: ciudad\n{TWO}play: [draw: [mine, mine], draw: [mine], roll: [6]]\n"
    result = run(text + "expect: {market: {mine: 3}}\n")
    assert result.passed, describe_failure(result)


def test_leading_draws_deal_row_by_row() -> None:
    text = f"edition: grossstadt\n{TWO}play: [draw: [mine]]\n"
    assert "step 1: mine cannot be drawn now; possible: wheat_field" in problem(text)
    assert problem(text).endswith("more.") or "sushi_bar" in problem(text)


def test_more_leading_draws_than_the_deal_needs_are_the_next_draws() -> None:
    line = "wheat_field, ranch, bakery, cafe, forest, mine, stadium, tv_station, publisher, tax_office"
    text = f"edition: ciudad\n{TWO}play: [draw: [{line}, sushi_bar], roll: [6], build: ranch]\n"
    assert passes(text + "expect: {market: {ranch: 0, sushi_bar: 1}}\n")


def test_a_deck_alone_is_what_is_left_after_the_deal() -> None:
    text = f"edition: ciudad\n{TWO}deck: {{}}\nplay: [roll: [6], pass]\n"
    assert passes(text + "expect: {turn: 1}\n")
    line = "wheat_field, ranch, bakery, cafe, forest, mine, stadium, tv_station, publisher, tax_office"
    text = f"edition: ciudad\n{TWO}deck: {{sushi_bar: 1}}\nplay: [draw: [{line}], roll: [6], build: ranch]\n"
    assert passes(text + "expect: {market: {ranch: 0, sushi_bar: 1}, turn: 1}\n")
    text = text.replace("{sushi_bar: 1}", "{sushi_bar: 6}").replace("draw: [wheat", "draw: [sushi_bar, wheat")
    assert "sushi_bar cannot be drawn" in problem(text)


def test_a_landmark_deck_alone_is_what_is_left_after_the_deal() -> None:
    seats = "seats: [{coins: 12, cards: {mine: 1}}, {landmarks: [temple]}]\n"
    rows = (
        "draw: [wheat_field, bakery, cafe, forest, sushi_bar], "
        "draw: [mine, stadium, winery, corn_field, apple_orchard], "
        "draw: [forge, park, museum, airport, launch_pad]"
    )
    play = f"landmark_deck: [exhibit_hall]\nplay: [{rows}, roll: [3], build: forge]\n"
    text = f"edition: neue_stadt\n{seats}{play}"
    assert passes(text + "expect: {market: {forge: 0, exhibit_hall: 1, temple: 0}}\n")


def test_a_city_may_hold_more_copies_than_the_box() -> None:
    assert passes(f"{BASE}seats: [{{cards: {{mine: 9}}}}, {{}}]\nexpect: {{market: {{mine: 0, ranch: 6}}}}\n")


def test_the_same_deal_for_the_same_scenario() -> None:
    text = f"edition: neue_stadt\n{TWO}play: [roll: [6]]\nexpect: {{market: {{launch_pad: 9}}}}\n"
    assert differences(text) == differences(text)


# ----------------------------------------------------------------------------- illegal


@pytest.mark.parametrize(
    "step",
    [
        "pass", "keep", "decline", "{roll: [1, 2]}", "{build: cafe}", "{reroll: [1]}", "{tuna: [1, 1]}",
        "{add_two: false}", "{invest: true}", "{player: 1}", "{give: cafe}", "{give: {cafe: closed}}",
        "{take: {player: 1, card: cafe}}", "{card: cafe}", "{landmark: radio_tower}", "{first: cafe}",
        "{draw: [cafe]}", "{build: airport}", "{build: city_hall}", "{build: sushi_bar}",
    ],
)  # fmt: skip
def test_any_step_may_be_declared_illegal(step: str) -> None:
    assert passes(f"{BASE}{TWO}play: [illegal: {step}]\nexpect: {{phase: roll, turn: 0}}\n")


def test_a_legal_step_declared_illegal_is_a_difference_and_changes_nothing() -> None:
    steps = "illegal: {roll: [2]}, roll: [6], illegal: pass, illegal: {build: cafe}, pass"
    assert differences(f"{BASE}{TWO}play: [{steps}]\n" + "expect: {coins: [3, 3], turn: 1}\n") == [
        ("at step 1", "illegal: {roll: [2]}", "refused", "possible"),
        ("at step 3", "illegal: pass", "refused", "possible"),
        ("at step 4", "illegal: {build: cafe}", "refused", "possible"),
    ]


def test_a_trade_half_legal_is_refused_as_a_whole() -> None:
    text = BASE + "seats: [{coins: 1, cards: {business_center: 1, mine: 1, cafe: 1}}, {}, {}]\n"
    steps = "roll: [6], give: mine, illegal: {take: {player: 1, card: stadium}}"
    assert passes(f"{text}play: [{steps}, take: {{player: 2, card: bakery}}]\nexpect: {{phase: build}}\n")
    assert (
        len(
            differences(
                f"{text}play: [roll: [6], give: mine, illegal: {{take: {{player: 1, card: bakery}}}}]\n"
            )
        )
        == 1
    )


def test_what_happened_by_itself_is_illegal_now() -> None:
    assert passes(f"{TRADE}play: [roll: [6], illegal: {{give: mine}}, illegal: pass, give: mine]\n{TRADED}")


def test_nothing_else_is_legal_while_a_draw_is_due() -> None:
    steps = "roll: [6], build: wheat_field, illegal: {build: ranch}, illegal: pass, illegal: {roll: [1]}"
    assert passes(f"{LINE}play: [{steps}, draw: [ranch, sushi_bar]]\n{DRAWN}")


def test_an_illegal_draw() -> None:
    steps = "roll: [6], build: wheat_field, illegal: {draw: [mine]}, draw: [ranch, sushi_bar]"
    assert passes(f"{LINE}play: [{steps}]\n{DRAWN}")
    assert differences(
        f"{LINE}play: [roll: [6], build: wheat_field, illegal: {{draw: [ranch, tuna_boat]}}]\n"
    ) == [("at step 3", "illegal: {draw: [ranch, tuna_boat]}", "refused", "possible")]


# -------------------------------------------------------------------------- judgement


def test_differences_name_what_was_expected_and_what_is() -> None:
    seats = "seats: [{coins: 3, cards: {cafe: 2}, landmarks: [radio_tower]}, {coins: 3}]\n"
    text = f"{BASE}{seats}play: [roll: [1], keep]\n"
    expect = (
        "expect: {coins: [0, 4], cards: {0: {cafe: 1}, 1: {wheat_field: 1, bakery: 1}}, landmarks: {0: []}, "
        "closed: {0: {cafe: 1}}, invested: {0: 2}, market: {cafe: 1, mine: 6, radio_tower: 2}, to_move: 1, "
        "turn: 1, phase: roll, winner: 1}\n"
    )
    assert differences(text + expect) == [
        ("at the end", "coins", "[0, 4]", "[3, 4]"),
        ("at the end", "cards of seat 0", "{cafe: 1}", "{cafe: 2}"),
        ("at the end", "landmarks of seat 0", "[]", "[radio_tower]"),
        ("at the end", "closed of seat 0", "{cafe: 1}", "{}"),
        ("at the end", "invested of seat 0", "2", "0"),
        ("at the end", "market: cafe", "1", "4"),
        ("at the end", "market: radio_tower", "2", "1"),
        ("at the end", "to_move", "1", "0"),
        ("at the end", "turn", "1", "0"),
        ("at the end", "phase", "roll", "build"),
        ("at the end", "winner", "1", "null"),
    ]


def test_a_check_in_the_middle_does_not_end_the_scenario() -> None:
    text = f"{BASE}{TWO}play: [roll: [1], expect: {{coins: [0, 0]}}, pass]\nexpect: {{turn: 0}}\n"
    assert [when for when, *_ in differences(text)] == ["at step 2", "at the end"]


def test_landmarks_compare_as_sets_and_zeros_as_nothing() -> None:
    text = f"{BASE}seats: [{{landmarks: [radio_tower, train_station]}}, {{cards: {{cafe: 1, mine: 0}}}}]\n"
    assert passes(
        text + "expect: {landmarks: {0: [train_station, radio_tower]}, cards: {1: {cafe: 1, ranch: 0}}}\n"
    )


def test_what_is_not_in_play_may_be_expected_to_be_absent() -> None:
    assert passes(
        f"{BASE}{TWO}expect: {{market: {{sushi_bar: 0, airport: 0}}, closed: {{0: {{sushi_bar: 0}}}}}}\n"
    )


# ------------------------------------------------------------------------------ report

WRONG = """\
name: Cafés are dear
rule: [R12, R14]
edition: ciudad
sets: [base]
seats:
  - {coins: 3}
  - {coins: 0, cards: {cafe: 2}}
play:
  - roll: [3]
  - expect: {phase: build}
expect: {coins: [1, 1], turn: 1}
"""


def test_a_failure_shows_both_sides_and_the_events(dicetown: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG, encoding="utf-8")
    ran = dicetown("scenario", file)
    assert ran.status == 1
    assert (
        ran.out
        == f"""\
FAILED Cafés are dear (R12, R14)
  {file}, scenario 1

                    expected  actual
  coins at the end  [1, 1]    [2, 2]
  turn at the end   1         0

  What happened:
    seat 0 rolls 3
    seat 0 pays seat 1 2 coins: cafe × 2
    the bank pays seat 0 1 coin: bakery

0 passed, 1 failed
"""
    )


def test_an_error_shows_its_sentence_and_the_events(dicetown: Run, tmp_path: Path) -> None:
    file = tmp_path / "error.yaml"
    file.write_text(WRONG.replace("- roll: [3]", "- roll: [1, 1]"), encoding="utf-8")
    ran = dicetown("scenario", file)
    assert ran.status == 1
    assert ran.out.splitlines() == [
        "ERROR Cafés are dear (R12, R14)",
        f"  {file}, scenario 1",
        "  step 1: roll: [1, 1] is not possible; possible: roll: [a].",
        "",
        "  What happened:",
        "    (nothing)",
        "",
        "0 passed, 1 failed",
    ]


def test_files_and_folders_are_run_together(dicetown: Run, tmp_path: Path) -> None:
    good = WRONG.replace("[1, 1], turn: 1", "[2, 2], turn: 0")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "two.yaml").write_text(f"{good}---\n{good}", encoding="utf-8")
    (tmp_path / "one.yaml").write_text(good, encoding="utf-8")
    ran = dicetown("scenario", tmp_path / "one.yaml", tmp_path / "folder")
    assert (ran.status, ran.out) == (0, "3 passed, 0 failed\n")
    (tmp_path / "wrong.yml").write_text(f"{good}---\n{WRONG}", encoding="utf-8")
    lines: list[str] = []
    assert run_files([tmp_path], write=lines.append) == (4, 1)
    assert lines[-1] == "4 passed, 1 failed"


@pytest.mark.parametrize(
    "content", ["", "name: [", "name: X\nedition: ciudad\nseats: [{}, {cards: {nope: 1}}]\n"]
)
def test_a_file_that_cannot_be_read_is_said_before_anything_is_run(
    dicetown: Run, tmp_path: Path, content: str
) -> None:
    (tmp_path / "a.yaml").write_text(WRONG, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(content, encoding="utf-8")
    ran = dicetown("scenario", tmp_path / "a.yaml", tmp_path / "b.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert "b.yaml" in ran.err
    assert ran.err.count("\n") == 1


def test_no_file_at_all_is_said_in_a_sentence() -> None:
    with pytest.raises(ScenarioError, match="name one or more YAML files"):
        run_files([])


def test_every_kind_of_event_is_told() -> None:
    """Run all scenarios: each event must be told in a line of its own, without Python showing through."""
    from dicetown.scenario import load_scenarios

    told: set[str] = set()
    for scenario in load_scenarios(Path(__file__).parent / "scenarios"):
        result = run_scenario(scenario)
        told |= {type(event).__name__ for event in result.events}
        lines = describe_failure(result).partition("What happened:\n")[2].splitlines()
        assert len(lines) == max(len(result.events), 1)
        assert not [line for line in lines if "(" in line.replace("(closed)", "").replace("(nothing)", "")]
    assert told == {
        "TurnBegan", "DiceRolled", "TotalRaised", "TunaRolled", "Paid", "Built", "Passed", "HandedOver",
        "Closed", "Reopened", "Demolished", "Drawn", "Discarded", "Returned", "Invested", "ExtraTurnEarned",
        "Forced", "Won", "GameDrawn",
    }  # fmt: skip
