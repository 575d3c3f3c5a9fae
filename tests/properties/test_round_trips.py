"""Everything that can be written down can be read back, and everything done can be undone."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from tests.properties.effort import examples
from tests.properties.walks import walk

from dicetown import Game, Ruleset
from dicetown.game.notation import Action, Outcome, notation_for
from dicetown.rules import codes as c
from dicetown.testing import Setup, differing_fields, games, random_move, rulesets, seeds, setups

DECISIONS = {
    "roll": c.ROLL, "reroll": c.REROLL, "add_two": c.ADD_TWO, "order": c.ORDER, "player": c.PLAYER,
    "give": c.GIVE, "take": c.TAKE, "card": c.CARD, "landmark": c.LANDMARK, "build": c.BUILD,
    "invest": c.INVEST,
}  # fmt: skip
CHANCE = {"dice": c.DICE, "tuna": c.TUNA, "draw": c.DRAW}
PHASES = DECISIONS | CHANCE | {"over": c.OVER}


def same_game(one: Game, other: Game) -> None:
    assert differing_fields(one.state, other.state) == []
    assert one.legal_actions() == other.legal_actions()
    assert one.chance_outcomes() == other.chance_outcomes()
    assert (one.to_move, one.phase, one.winner, one.turns) == (
        other.to_move, other.phase, other.winner, other.turns,
    )  # fmt: skip


# --------------------------------------------------------------------------- undo


@given(setups(), seeds())
def test_undo_restores_exactly_what_was(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for chance in ("manual", "auto"):
        game = setup.new_game(seed, chance)
        for _ in range(60):
            if game.over:
                break
            before, moves, events = game.position(), list(game.moves), list(game.events)
            legal, rng_before = game.legal_actions(), game._luck
            game.play(random_move(game, rng))
            after, then = game.position(), list(game.events)
            last = game.moves[len(moves)]
            game.undo()
            assert (game.position(), game.moves, list(game.events)) == (before, moves, events)
            assert game.legal_actions() == legal
            assert game._luck == rng_before
            game.play(last)  # and the same chance follows again
            if chance == "auto":
                assert (game.position(), list(game.events)) == (after, then)


@given(setups(), seeds())
def test_a_whole_game_can_be_taken_back_to_its_beginning(setup: Setup, seed: int) -> None:
    game = setup.new_game(seed)
    begin, moves, events = game.position(), list(game.moves), list(game.events)
    rng, path = Random(seed), [game.position()]
    for _ in range(100):
        if game.over:
            break
        game.play(random_move(game, rng))
        path.append(game.position())
    while game.can_undo:
        assert game.position() == path.pop()
        game.undo()
    assert (game.position(), game.moves, list(game.events)) == (begin, moves, events)


# ---------------------------------------------------------------------- saved games


@given(games())
def test_a_saved_game_comes_back_with_all_its_moves_and_events(game: Game) -> None:
    again = Game.load(game.save())
    same_game(game, again)
    assert (again.moves, again.events, again.names) == (game.moves, game.events, game.names)
    assert again.ruleset == game.ruleset
    assert again.save() == game.save()


@given(setups(), seeds())
def test_a_game_saved_while_chance_is_due_comes_back_and_goes_on(setup: Setup, seed: int) -> None:
    *_, (game, _, _) = walk(setup, seed, steps=40)
    again = Game.load(game.save(), seed=seed)
    assert again.moves[: len(game.moves)] == game.moves
    assert again.events[: len(game.events)] == game.events
    assert not again.waits_for_chance
    if not game.waits_for_chance:
        same_game(game, again)


# ------------------------------------------------------------------------- notation


@given(setups())
def test_every_action_and_outcome_reads_back_from_its_text(setup: Setup) -> None:
    notation = notation_for(setup.ruleset, setup.players)
    things = [*range(len(setup.ruleset.cards))]
    marks = [*range(len(setup.ruleset.landmarks))]
    actions = [*range(c.CHOOSE_PLAYER + setup.players)]
    for block in (c.RESOLVE_FIRST, c.GIVE_OPEN, c.GIVE_CLOSED, c.TAKE_OPEN, c.TAKE_CLOSED, c.CHOOSE_CARD):
        actions += [block + card for card in things]
    actions += [c.DEMOLISH_IT + mark for mark in marks]
    actions += [c.BUILD_IT + thing for thing in [*things, *(c.MAX_CARDS + mark for mark in marks)]]
    for number in actions:
        action = notation.action(number)
        assert action == Action(number, str(action))
        assert notation.parse(f"  {str(action).upper().replace(' ', '   ')} ") == action
    faces = range(1, 7)
    throws = [(c.DICE, die) for die in faces]
    throws += [(phase, die * 10 + other) for phase in (c.DICE, c.TUNA) for die in faces for other in faces]
    draws = [(c.DRAW, thing) for thing in [*things, *(c.MAX_CARDS + mark for mark in marks)]]
    for phase, number in throws + draws:
        outcome = notation.outcome(phase, number)
        assert notation.parse(str(outcome)) == outcome == Outcome(number, str(outcome))
    texts = [notation.action(number).text for number in actions]
    texts += [notation.outcome(phase, number).text for phase, number in throws + draws]
    assert Counter(texts).most_common(1)[0][1] == 1, "two moves read the same"


@given(rulesets())
def test_a_ruleset_reads_back_from_what_a_saved_game_keeps_of_it(ruleset: Ruleset) -> None:
    again = Ruleset(**ruleset.as_dict())
    assert again == ruleset
    assert hash(again) == hash(ruleset)
    assert (again.rules, again.cards, again.landmarks) == (ruleset.rules, ruleset.cards, ruleset.landmarks)


# ------------------------------------------------------------------------- positions


@pytest.mark.slow
@given(setups(), seeds())
def test_a_position_reads_back_and_goes_on_as_the_original_would(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for game, _, _ in walk(setup, seed):
        text = game.position()
        again = Game.from_position(text, chance="manual")
        assert again.position() == text
        same_game(game, again)
        if not game.over:
            move = random_move(game, rng)
            fork = Game.from_state(setup.ruleset, setup.players, game.state, chance="manual")
            assert again.play(move) == fork.play(move)
            same_game(fork, again)


#: What each edition's random games must have waited for; the rest of the rules it does not have.
SEEN = {
    "ciudad": {
        "roll",
        "reroll",
        "add_two",
        "player",
        "give",
        "take",
        "build",
        "dice",
        "tuna",
        "draw",
        "over",
    },
    "deluxe": set(PHASES),
    "grossstadt": set(PHASES),
    "neue_stadt": {"roll", "give", "take", "build", "dice", "draw", "over", "player"},
}


@pytest.mark.parametrize("edition", SEEN)
def test_positions_of_every_phase_were_visited_and_read_back(edition: str) -> None:
    """Four hundred short rich games: the property above says nothing of a phase it never meets."""
    seen: set[str] = set()
    names = {number: name for name, number in PHASES.items()}
    house = {"start_coins": 35, "max_turns": 20, "start_rounds": 2}
    for seed in range(400):
        setup = Setup(Ruleset(edition, house=house), 2 + seed % 3)
        game, rng = setup.new_game(seed, chance="manual"), Random(seed)
        while True:
            phase = names[game.state.phase]
            if phase not in seen:
                seen.add(phase)
                same_game(game, Game.from_position(game.position(), chance="manual"))
            if game.over:
                break
            game.play(random_move(game, rng))
        if seen == SEEN[edition]:
            break
    assert seen == SEEN[edition]


@examples(20)
@given(games())
def test_a_game_can_go_on_from_a_position_by_chance(game: Game) -> None:
    again = Game.from_position(game.position(), seed=1)
    assert (again.moves, list(again.events), again.can_undo) == ([], [], False)
    same_game(game, again)
