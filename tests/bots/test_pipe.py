"""Programs that play: the protocol, and everything that a program can do wrong."""

import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.arena.failing import Steady
from tests.bots.tether import Tether

from dicetown import Game, Ruleset
from dicetown.bots import BotMaker, View, make_bot
from dicetown.bots.programs import pipe as pipes
from dicetown.bots.programs import protocol
from dicetown.bots.programs.pipe import PipeBot, latest
from dicetown.bots.programs.process import CalledOff
from dicetown.bots.programs.serve import serve
from dicetown.errors import BotError, BotFault

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bots" / "bad_bot.py"
EXAMPLE = ROOT / "examples" / "pipe_bot.py"
VIEW = View.of(Game(Ruleset("deluxe"), players=3, seed=7))


def bad(how: str, seconds: float | None = 10.0) -> PipeBot:
    return PipeBot(how, [sys.executable, "-I", str(BAD), how], seconds)


def fault_of(bot: PipeBot) -> BotFault:
    with pytest.raises(BotFault) as raised:
        bot.choose(VIEW, Random(1))
    bot.close()
    return raised.value


@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("illegal", "illegal", 'It chose "build the_moon", which is not possible now.'),
        ("no-text", "illegal", 'It chose "7", which is not possible now.'),
        ("garbage", "garbage", 'It said "I think I will  [2J build a café", which is no line of JSON'),
        ("list", "garbage", 'It said "[1, 2]", which is no line of JSON with a type.'),
        ("nested", "garbage", "which is no line of JSON with a type."),
        ("bytes", "garbage", "which is no line of JSON with a type."),
        ("other", "garbage", 'It said "bestmove" where "choice" was due.'),
        ("endless-line", "garbage", "It sent a line of more than 65,536 bytes."),
        ("floods", "garbage", "It said 1,000 lines without saying choice."),
        ("dies", "died", "It ended with status 3: ValueError: no idea"),
        ("kills-itself", "died", "It was ended by SIGKILL."),
        ("closes", "died", "It closed its output."),
        ("no-start", "died", "It ended with status 1: ImportError: no module named brain"),
        ("greedy-asks", "garbage", 'It asked for a budget of "1000000000.0" seconds.'),
    ],
)
def test_what_a_program_does_wrong_is_said_in_a_sentence(how: str, kind: str, reason: str) -> None:
    fault = fault_of(bad(how, None if how == "greedy-asks" else 10.0))
    assert fault.kind == kind
    assert reason in str(fault)


@pytest.mark.parametrize("how", ["hangs", "hangs-with-child", "stderr"])
def test_a_program_that_does_not_answer_is_stopped_at_its_limit(how: str) -> None:
    bot = bad(how, seconds=0.5)
    bot.prepare()
    begun = time.monotonic()
    fault = fault_of(bot)
    assert fault.kind == "late"
    assert str(fault) == "It did not say choice within 0.60 s."
    assert 0.5 < time.monotonic() - begun < 600  # it would have slept for an hour


def test_a_program_that_never_says_hello_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "START", 0.2)
    fault = fault_of(bad("deaf"))
    assert (fault.kind, str(fault)) == ("late", "It did not say hello within 0.20 s.")


def test_what_a_stopped_program_has_started_is_stopped_with_it() -> None:
    how = "hangs-with-child"
    with Tether() as tether:
        bot = PipeBot(how, [sys.executable, "-I", str(BAD), how, tether.port], 0.2)
        bot.prepare()  # it says hello once its child holds on
        assert tether.holding() == 1
        assert fault_of(bot).kind == "late"
        deadline = time.monotonic() + 60
        while tether.holding() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert tether.holding() == 0


@pytest.mark.parametrize("how", ["deaf", "hangs"])
def test_an_answer_that_nobody_wants_any_more_is_not_waited_for(how: str) -> None:
    bot = bad(how, 60.0)
    if how == "hangs":
        bot.prepare()
    bot.called_off = lambda: True
    with pytest.raises(CalledOff):
        bot.choose(VIEW, Random(1))
    bot.close()


def test_who_speaks_without_being_asked_has_failed() -> None:
    bot = bad("talks")
    bot.choose(VIEW, Random(1))
    time.sleep(0.05)
    try:
        bot.choose(VIEW, Random(1))  # the second answer came before the question …
        fault = fault_of(bot)  # … or a moment later
    except BotFault as raised:
        fault = raised
    bot.close()
    assert fault.kind == "garbage"
    assert "without being asked" in str(fault)


def test_a_file_that_is_no_program_has_failed(tmp_path: Path) -> None:
    file = tmp_path / "poem"
    file.write_bytes(b"\0roses are red")
    file.chmod(0o755)
    for _ in range(2):
        fault = fault_of(PipeBot.read(f"pipe:{file}"))
        assert (fault.kind, str(fault)) == ("died", "It cannot be started: Exec format error.")


def test_info_and_stderr_disturb_nobody() -> None:
    bot = bad("thinks")
    assert str(bot.choose(VIEW, Random(1))) == str(VIEW.legal_actions[-1])
    bot.close()


def test_after_a_fault_the_program_begins_anew() -> None:
    bot = bad("illegal")
    for _ in range(2):
        with pytest.raises(BotFault, match="the_moon"):
            bot.choose(VIEW, Random(1))
        assert bot._program is None


def test_a_program_may_ask_for_a_budget_unless_one_is_given() -> None:
    asked, given = bad("asks", None), bad("asks", 2.0)
    for bot in (asked, given):
        bot.prepare()
        bot.close()
    assert (asked.budget, given.budget) == (0.4, 2.0)


def test_a_fifth_more_than_the_budget_is_granted() -> None:
    assert latest(10) == 12
    assert latest(0.05) == pytest.approx(0.15)


# ------------------------------------------------------------------------ commands


def test_a_command_is_read_as_a_shell_would_read_it() -> None:
    bot = PipeBot.read(f"pipe:{sys.executable} 'my bot.py' --depth 3")
    assert bot.command == [sys.executable, "my bot.py", "--depth", "3"]
    assert bot.budget == pipes.USUAL_SECONDS
    assert PipeBot.read(f"pipe:seconds=2.5:{sys.executable} x").budget == 2.5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("pipe:", "names no program"),
        ("pipe:'python", "No closing quotation"),
        ("pipe:no_such_program_here x", 'There is no program "no_such_program_here"'),
        ("pipe:seconds=soon:python3 x", 'cannot think for "soon" seconds'),
        ("pipe:seconds=0:python3 x", 'cannot think for "0" seconds'),
        ("pipe:seconds=1e9:python3 x", "at most 60"),
    ],
)
def test_a_command_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BotError, match=problem):
        PipeBot.read(text)


# ------------------------------------------------------------- the example and serve


def play_with(bot: PipeBot, edition: str) -> Game:
    game = Game(Ruleset(edition, house={"max_turns": 12}), players=2, seed=3)
    greedy = make_bot("greedy")
    while not game.over:
        player = bot if game.to_move == 0 else greedy
        game.play(player.choose(View.of(game), Random(len(game.moves))))
    bot.close()
    return game


@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_the_example_plays_every_edition(edition: str) -> None:
    assert play_with(PipeBot.read(f"pipe:{sys.executable} -I {EXAMPLE}"), edition).turns == 12


def test_the_example_has_forty_lines() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40
    imports = [line.split()[1] for line in lines if line.startswith("import ")]
    assert set(imports) <= sys.stdlib_module_names


def test_a_bot_of_dicetown_served_over_a_pipe_chooses_the_same() -> None:
    served = PipeBot.serving("greedy:slips=300")
    game, own = Game(Ruleset("deluxe"), players=2, seed=5), make_bot("greedy:slips=300")
    for _ in range(30):
        view, seed = View.of(game), Random(game.turns).getrandbits(63)
        action = own.choose(view, Random(seed))
        assert served.choose(view, Random(game.turns)) == action
        game.play(action)
    served.close()


def test_the_dialogue_of_a_served_bot() -> None:
    lines = [protocol.hello(1.0), protocol.position(VIEW), protocol.go(1.0, 5), {"type": "quit"}]
    ran = subprocess.run(
        [sys.executable, "-m", "dicetown.bots.programs.serve", "random"],
        input=b"".join(protocol.encode(line) for line in lines),
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    hello, choice = (json.loads(line) for line in ran.stdout.splitlines())
    assert hello == {"type": "hello", "protocol": protocol.PROTOCOL, "name": "random"}
    assert choice == {"type": "choice", "action": "roll 1"}


def test_a_bot_that_is_not_known_cannot_be_served() -> None:
    fault = fault_of(PipeBot.serving("nobody"))
    assert fault.kind == "died"
    assert 'status 2: There is no bot "nobody"' in str(fault)
    with pytest.raises(BotError, match='The bot "nobody" cannot play: There is no bot "nobody"'):
        PipeBot.serving("nobody").check()


def test_a_served_bot_gets_the_budget_that_it_is_told() -> None:
    class Thinking(Steady):
        budget = 2.0

    bot, out = Thinking(), io.BytesIO()
    lines = [protocol.hello(1.0), protocol.position(VIEW), protocol.go(0.25, 5)]
    serve(bot, io.BytesIO(b"".join(map(protocol.encode, lines))), out)
    assert json.loads(out.getvalue().splitlines()[0])["budget"] == 2.0
    assert bot.budget == 0.25


# ------------------------------------------------------------------- docs/bots.md

PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def test_the_page_names_every_field_of_a_position() -> None:
    fields = re.findall(
        r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE.partition("| field |")[2].partition("\n\n")[0], re.M
    )
    named = {name for group in fields for name in re.findall(r"`(\w+)`", group)}
    assert named == set(protocol.position(VIEW)) - {"type"}


def test_the_bot_on_the_page_works() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, "docs/bots.md", "exec"), names)
    bot = names["LuckyBot"](charm=3)
    assert bot.choose(VIEW, Random(1)) in VIEW.legal_actions
    assert BotMaker.of(names["LuckyBot"]).options["charm"].read("9") == 9


def test_the_dialogue_on_the_page_is_the_protocol() -> None:
    (dialogue,) = re.findall(r"```text\n(→ .*?)```", PAGE, re.DOTALL)
    types = re.findall(r'^([→←]) \{"type": "(\w+)"', dialogue, re.M)
    assert [kind for _, kind in types] == ["hello", "hello", "position", "go", "info", "choice", "quit"]
    said = [json.loads(line[2:]) for line in dialogue.splitlines() if line.endswith("}") and line[0] in "→←"]
    assert set(said[0]) == set(protocol.hello(1.0))
    assert set(protocol.go(1.0, 1)) in [set(line) for line in said]
    assert protocol.choice("build cafe") in said


# -------------------------------------------------------------------------- messages


def test_a_position_says_all_that_is_to_be_seen() -> None:
    game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)
    game.play("roll 1")
    told = protocol.position(View.of(game))
    assert View.from_position(told["position"]).legal_actions == game.legal_actions()
    assert (told["edition"], told["sets"], told["house"]) == ("deluxe", ["base"], {})
    assert (told["seat"], told["phase"], told["turns"]) == (0, "build", 0)
    assert told["players"][0]["cards"] == game.cards(0)
    assert told["players"][0]["coins"] == game.coins(0)
    assert told["market"] == game.market
    assert told["deck"] == game.deck
    assert told["landmarks"] == ["train_station", "shopping_mall", "amusement_park", "radio_tower"]
    assert (told["prices"]["cafe"], told["prices"]["train_station"]) == (2, 4)
    assert told["legal"] == [str(action) for action in game.legal_actions()]
    assert "seed" not in json.dumps(told)
