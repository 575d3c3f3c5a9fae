"""What agents see and do, in numbers: each has a name, and none changes within a version."""

from importlib import import_module
from typing import Any

import gymnasium
import pytest
from tests.envs.fingerprints import KEPT, all_prints
from tests.envs.tables import HOUSES, every_table

import dicetown.envs
from dicetown import Ruleset, RulesetError
from dicetown.rules import codes as c
from dicetown.sight.spec import VERSION, Spec


def test_what_agents_see_and_do_is_what_it_was_in_this_version() -> None:
    kept, now = KEPT.read_text(encoding="utf-8").splitlines(), all_prints()
    again = "then run: .venv/bin/python tests/envs/fingerprints.py"
    changed = sorted({line.partition(":")[0] for line in set(kept[1:]) ^ set(now[1:])})
    if kept[0] == now[0]:
        assert not changed, (
            f"Raise VERSION in src/dicetown/sight/spec.py, since these changed: {changed}; {again}"
        )
    assert kept == now, f"VERSION has been raised; {again}"


def test_modules_and_ids_carry_the_version() -> None:
    module = import_module(f"dicetown.envs.dicetown_v{VERSION}")
    assert module.raw_env().metadata["name"] == f"dicetown_v{VERSION}"
    ids = [name for name in gymnasium.registry if name.startswith("dicetown/")]
    assert f"dicetown/Dicetown-v{VERSION}" in ids
    assert all(name.endswith(f"-v{VERSION}") for name in ids)
    assert dicetown.envs.DicetownEnv().unwrapped is not None


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_every_number_and_every_action_has_a_name_of_its_own(ruleset: Ruleset, players: int) -> None:
    houses: list[dict[str, Any]] = [{}, *HOUSES.values()]
    for house in houses:
        spec = Spec(Ruleset(ruleset.edition.id, ruleset.set_ids, house), players)
        assert len(set(spec.names)) == len(spec.names) == spec.size == len(spec.most) == len(spec.scale)
        assert len(set(spec.action_names)) == len(spec.action_names) == spec.actions
        assert [field.at for field in spec.fields[1:]] == [
            field.at + field.size for field in spec.fields[:-1]
        ]
        assert (spec.most > 0).all()


def test_actions_are_in_the_notation_of_the_game() -> None:
    spec = Spec(Ruleset("deluxe"), 3)
    assert {
        "roll 2",
        "keep",
        "reroll 1",
        "add_two yes",
        "player +1",
        "player +2",
        "pass",
        "build cafe",
    } <= set(spec.action_names)
    assert "player +0" not in spec.action_names
    assert "roll 2" not in Spec(Ruleset("deluxe", ["base"], {"landmarks": ["radio_tower"]}), 2).action_names


def test_engine_actions_and_agents_actions_lead_to_each_other() -> None:
    sight = Spec(Ruleset("neue_stadt"), 4).sight
    for number in range(sight.actions):
        assert sight.number[sight.action[number]] == number
    assert sum(int(number) >= 0 for number in sight.number) == sight.actions
    assert sight.number[c.DEMOLISH_IT] == -1


def test_a_table_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(RulesetError, match="accepted are 2 to 4"):
        Spec(Ruleset("deluxe", ["base"]), 5)
