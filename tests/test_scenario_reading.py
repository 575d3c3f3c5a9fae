"""Scenario files that cannot be read: a sentence names file, scenario, place and what would be accepted."""

from pathlib import Path

import pytest

from dicetown.errors import ScenarioError
from dicetown.scenario import load_scenarios, read_scenarios

HEAD = "name: X\nedition: ciudad\nsets: [base]\n"
SEATS = "seats: [{coins: 1}, {coins: 2}]\n"
NEW_TOWN = "name: X\nedition: neue_stadt\n"


def complaint(text: str) -> str:
    """The sentence about a text that is no scenario."""
    with pytest.raises(ScenarioError) as caught:
        read_scenarios(text, "some.yaml")
    sentence = str(caught.value)
    assert sentence.startswith("some.yaml"), sentence
    assert sentence.endswith((".", ")")), sentence
    assert "\n" not in sentence, sentence
    return sentence


#: A text that is no scenario, and words that the sentence about it must hold.
BROKEN: list[tuple[str, list[str]]] = [
    ("", ["there is no scenario"]),
    ("# only a comment\n", ["there is no scenario"]),
    ("---\n---\n", ["there is no scenario"]),
    ("a: [1", ["no YAML"]),
    ("name: a\nname: b\n", ["no YAML", '"name" stands twice', "line 2"]),
    ("!!bool maybe", ["no YAML"]),
    ("2020-99-99", ["no YAML"]),
    ("key: \0", ["no YAML"]),
    ("- 1\n- 2\n", ["scenario 1", "must be a mapping with name"]),
    ("just words", ["scenario 1", '"just words"', "must be a mapping"]),
    ("edition: ciudad\n" + SEATS, ["has no name", "required"]),
    ("name: X\n" + SEATS, ["has no edition"]),
    (HEAD, ["has no seats"]),
    (HEAD + SEATS + "titel: x\n", ['"titel"', "nown: name"]),
    (HEAD + SEATS + "plays: []\n", ['did you mean "play"?']),
    ("name: 7\nedition: ciudad\n" + SEATS, ["name is 7", "must be a text"]),
    ("name: X\nedition: cuidad\n" + SEATS, ['no edition "cuidad"', 'did you mean "ciudad"?']),
    ("name: X\nedition: [1]\n" + SEATS, ["edition is [1]"]),
    ("name: X\nedition: ciudad\nsets: [harbour]\n" + SEATS, ['"harbour"', "harbor"]),
    ("name: X\nedition: ciudad\nsets: base\n" + SEATS, ['sets is "base"', "must be a list"]),
    (HEAD + SEATS + "house: [a]\n", ["house is ['a']", "mapping"]),
    (HEAD + SEATS + "house: {start_coin: 1}\n", ['"start_coin"', '"start_coins"']),
    (HEAD + SEATS + "house: {start_coins: -1}\n", ["start_coins"]),
    (HEAD + SEATS + "house: {landmarks_to_win: 9}\n", ["landmarks_to_win is 9", "nobody could win"]),
    (HEAD + "seats: [{}]\n", ["1 players cannot play", "2 to 5"]),
    (HEAD + "seats: [{}, {}, {}, {}, {}, {}]\n", ["6 players cannot play"]),
    (HEAD + "seats: {a: 1}\n", ["seats is", "must be a list"]),
    (HEAD + "seats: [1, 2]\n", ["seat 0", "must be a mapping with coins"]),
    (HEAD + "seats: [{}, {coin: 1}]\n", ["seat 1", 'did you mean "coins"?']),
    (HEAD + "seats: [{coins: -1}, {}]\n", ["seat 0", "coins is -1", "from 0"]),
    (HEAD + "seats: [{coins: true}, {}]\n", ["coins is true", "whole number"]),
    (HEAD + "seats: [{coins: 1.5}, {}]\n", ["coins is 1.5"]),
    (HEAD + "seats: [{coins: 99999999999}, {}]\n", ["coins is 99999999999"]),
    (HEAD + "seats: [{cards: [cafe]}, {}]\n", ["cards is ['cafe']", "{cafe: 2}"]),
    (HEAD + "seats: [{cards: {caffe: 1}}, {}]\n", ['no card "caffe"', 'did you mean "cafe"?']),
    (HEAD + "seats: [{cards: {caffe: 0}}, {}]\n", ['no card "caffe"']),
    (HEAD + "seats: [{cards: {sushi_bar: 1}}, {}]\n", ['"sushi_bar" is not in play with these sets']),
    (HEAD + "seats: [{cards: {cafe: -1}}, {}]\n", ['"cafe" of cards is -1', "0 to 99"]),
    (HEAD + "seats: [{cards: {cafe: 99}}, {cards: {cafe: 99}}]\n", ["more than 127 copies of cafe"]),
    (HEAD + "seats: [{cards: {harbor: 1}}, {}]\n", ['no card "harbor"']),
    (HEAD + "seats: [{landmarks: [harbor]}, {}]\n", ['landmark "harbor" is not in play']),
    (HEAD + "seats: [{landmarks: [city_hall]}, {}]\n", ['landmark "city_hall" is not in play']),
    (HEAD + "seats: [{landmarks: train_station}, {}]\n", ["landmarks is", "must be a list"]),
    (HEAD + "seats: [{landmarks: [radio_tower, radio_tower]}, {}]\n", ["radio_tower twice"]),
    (HEAD + "seats: [{closed: {wheat_field: 2}}, {}]\n", ["2 wheat_field are closed", "only 1"]),
    (HEAD + "seats: [{cards: {stadium: 1}, closed: {stadium: 1}}, {}]\n", ["purple cards never close"]),
    (HEAD + "seats: [{invested: x}, {}]\n", ['invested is "x"']),
    (HEAD + SEATS + "turn: 2\n", ["turn is 2", "from 0 to 1"]),
    (HEAD + SEATS + "market: [cafe]\n", ["market is ['cafe']"]),
    (HEAD + SEATS + "market: {cafe: x}\n", ['"cafe" of market is "x"']),
    (HEAD + SEATS + "deck: {cafe: 1}\n", ["open stacks have none"]),
    (HEAD + SEATS + "landmark_market: [radio_tower]\n", ["ciudad", "landmarks of their own"]),
    (NEW_TOWN + SEATS + "landmark_market: [temple, temple]\n", ["temple twice"]),
    (
        NEW_TOWN + SEATS + "landmark_market: [temple]\nlandmark_deck: [temple]\n",
        ["temple is there 2 times"],
    ),
    (NEW_TOWN + "seats: [{landmarks: [temple]}, {landmarks: [temple]}]\n", ["temple is there 2 times"]),
    (NEW_TOWN + SEATS + "landmark_market: {temple: 1}\n", ["landmark_market is", "must be a list"]),
    (HEAD + SEATS + "expect: [1]\n", ["expect is [1]", "mapping with coins"]),
    (HEAD + SEATS + "expect: {coin: [1, 2]}\n", ['did you mean "coins"?']),
    (HEAD + SEATS + "expect: {coins: [1]}\n", ["coins names 1 purses", "2 seats"]),
    (HEAD + SEATS + "expect: {coins: {0: 1}}\n", ["coins is", "must be a list"]),
    (HEAD + SEATS + "expect: {cards: {2: {cafe: 1}}}\n", ["a seat of cards is 2", "0 to 1"]),
    (HEAD + SEATS + "expect: {cards: [cafe]}\n", ["cards is ['cafe']", "a mapping by seat"]),
    (HEAD + SEATS + "expect: {cards: {0: {caffe: 1}}}\n", ['"caffe"', 'did you mean "cafe"?']),
    (HEAD + SEATS + "expect: {landmarks: {0: [airport]}}\n", ['"airport" is not in play']),
    (HEAD + SEATS + "expect: {phase: dice}\n", ['phase is "dice"', "add_two"]),
    (HEAD + SEATS + "expect: {to_move: 5}\n", ["to_move is 5"]),
    (HEAD + SEATS + "expect: {winner: x}\n", ['winner is "x"']),
    (HEAD + SEATS + "rule: [1]\n", ["rule is 1"]),
]


@pytest.mark.parametrize(
    ("text", "words"), BROKEN, ids=[text.strip().rpartition("\n")[2] for text, _ in BROKEN]
)
def test_what_is_wrong_with_a_scenario_is_said_in_a_sentence(text: str, words: list[str]) -> None:
    sentence = complaint(text)
    for word in words:
        assert word in sentence


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("passs", ['no step "passs"', 'did you mean "pass"?']),
        ("roll", ['no step "roll"']),
        ("7", ["it is 7", "a step is one of"]),
        ("{roll: [1], pass: 1}", ["a step is one of"]),
        ("{}", ["a step is one of"]),
        ("{rol: [1]}", ['no step "rol"', 'did you mean "roll"?']),
        ("{roll: 3}", ["roll is 3", "must be a list"]),
        ("{roll: []}", ["roll is []", "[a] or [a, b]"]),
        ("{roll: [1, 2, 3]}", ["[a] or [a, b]"]),
        ("{roll: [0]}", ["a die of roll is 0", "from 1 to 6"]),
        ("{roll: [7]}", ["a die of roll is 7"]),
        ("{tuna: [3]}", ["tuna is [3]", "must be [a, b]"]),
        ("{add_two: 2}", ["add_two is 2", "true or false"]),
        ("{player: 2}", ["player is 2", "from 0 to 1"]),
        ("{give: {cafe: open, mine: open}}", ["give is"]),
        ("{give: {cafe: shut}}", ['"shut"', "closed, open"]),
        ("{give: caffe}", ['no card "caffe"']),
        ("{take: cafe}", ['take is "cafe"', "player, card, closed"]),
        ("{take: {card: cafe}}", ["take lacks player"]),
        ("{take: {player: 1}}", ["take lacks card"]),
        ("{take: {player: 1, card: cafe, closed: 1}}", ["closed of take is 1"]),
        ("{card: {}}", ["no card {}"]),
        ("{landmark: cafe}", ['no landmark "cafe"']),
        ("{build: sushi_bar}", ['"sushi_bar" is not in play']),
        ("{build: xyz}", ['no card or landmark "xyz"']),
        ("{draw: mine}", ['draw is "mine"', "must be a list"]),
        ("{invest: maybe}", ['invest is "maybe"']),
        ("{expect: {coins: 1}}", ["coins is 1"]),
        ("{illegal: {expect: {}}}", ["illegal holds expect"]),
        ("{illegal: {illegal: pass}}", ["illegal holds illegal"]),
        ("{illegal: {build: nonsense}}", ['no card or landmark "nonsense"']),
    ],
)
def test_what_is_wrong_with_a_step_is_said_with_its_number(step: str, words: list[str]) -> None:
    sentence = complaint(f"{HEAD}{SEATS}play: [pass, {step}]\n")
    assert 'scenario 1 "X", step 2:' in sentence
    for word in words:
        assert word in sentence


def test_the_second_scenario_of_a_file_is_named_as_such() -> None:
    good = HEAD + SEATS
    assert 'some.yaml, scenario 3 "X"' in complaint(f"{good}---\n{good}---\n{good}turn: 9\n")


def test_a_position_that_is_won_is_refused() -> None:
    """R42: who has all landmarks has won, so there is nothing left to play."""
    every = "train_station, shopping_mall, amusement_park, radio_tower"
    assert "won already" in complaint(f"{HEAD}seats: [{{}}, {{landmarks: [{every}]}}]\n")
    assert "won already" in complaint(
        f"{HEAD}house: {{landmarks_to_win: 1}}\nseats: [{{}}, {{landmarks: [radio_tower]}}]\n"
    )
    assert "won already" in complaint(f"{NEW_TOWN}seats: [{{landmarks: [temple, forge, park]}}, {{}}]\n")
    assert "won already" in complaint(f"{NEW_TOWN}seats: [{{landmarks: [launch_pad]}}, {{}}]\n")


def test_a_value_that_contains_itself_is_no_trouble() -> None:
    assert "coins is" in complaint(HEAD + "seats: [{coins: &a [*a]}, {}]\n")
    assert "house" in complaint(HEAD + SEATS + "house: {cards: &a [*a]}\n")
    assert "a step is one of" in complaint(HEAD + SEATS + "play: &a [*a]\n")


def test_a_value_that_repeats_itself_makes_no_long_sentence() -> None:
    laughs = "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 12))
    assert len(complaint(f"b0: &b0 [lol]\n{laughs}")) < 1000


def test_nesting_without_end_is_refused() -> None:
    for text in ("[" * 100_000, "{a: " * 10_000, "- " * 10_000, "? " * 10_000):
        assert "no YAML" in complaint(text)


def test_a_missing_file_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nowhere\.yaml: this file cannot be read"):
        load_scenarios(tmp_path / "nowhere.yaml")


def test_a_path_that_is_none_is_said_in_a_sentence() -> None:
    with pytest.raises(ScenarioError, match="name a YAML file"):
        load_scenarios("no\0path")


def test_a_file_that_is_no_text_is_said_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "bytes.yaml"
    file.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(ScenarioError, match=r"bytes\.yaml: this file is not UTF-8 text"):
        load_scenarios(file)


def test_a_folder_without_scenarios_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no scenario", encoding="utf-8")
    with pytest.raises(ScenarioError, match="no scenario in this folder"):
        load_scenarios(tmp_path)


def test_a_folder_is_read_with_all_below_it_in_order(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("b.yaml", "a.yml", "below/c.yaml", "not_me.txt"):
        (tmp_path / name).write_text(f"name: {name}\nedition: ciudad\n{SEATS}", encoding="utf-8")
    assert [scenario.name for scenario in load_scenarios(tmp_path)] == ["a.yml", "b.yaml", "below/c.yaml"]


def test_several_rulings_may_be_named() -> None:
    (one,) = read_scenarios(HEAD + SEATS + "rule: R12\n")
    (two,) = read_scenarios(HEAD + SEATS + "rule: [R12, R14]\n")
    (none,) = read_scenarios(HEAD + SEATS)
    assert (one.rules, two.rules, none.rules) == (("R12",), ("R12", "R14"), ())


def test_keys_without_a_value_are_as_good_as_left_out() -> None:
    (scenario,) = read_scenarios(HEAD + SEATS + "play:\nexpect:\nmarket:\nhouse:\nrule:\n")
    assert (scenario.play, scenario.expect.wanted, scenario.position.market) == ((), {}, None)


def test_a_name_is_one_line_that_can_be_printed() -> None:
    (scenario,) = read_scenarios(f"name: |\n  first\n  second\nedition: ciudad\n{SEATS}")
    assert scenario.name == "first second"
    assert "must be a text" in complaint(f'name: "\\e[31m"\nedition: ciudad\n{SEATS}')


def test_empty_documents_between_scenarios_do_not_matter() -> None:
    assert len(read_scenarios(f"---\n{HEAD}{SEATS}---\n---\n{HEAD}{SEATS}---\n")) == 2
