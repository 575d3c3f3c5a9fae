"""Words for the dice: everybody is bound to one before any is known; the game begins when all are told."""

import asyncio
from pathlib import Path

from tests.server.sitting import ANA, BEN, CARO, Seated, finish, refused, seated, until

from dicetown import fair
from dicetown.fair import commit_to_word
from dicetown.game import Game
from dicetown.game.record import GameRecord
from dicetown.server import wire
from dicetown.server.journal.entries import (
    Chair,
    Closed,
    Entry,
    Made,
    Moved,
    Started,
    TableSettings,
    WordMixed,
    read_body,
    write_body,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.table import seating, shared_dice
from dicetown.server.table.table import Table

WORD = {ANA: "a" * 64, BEN: "b" * 64}
SECONDS = 10.0


async def commit(table: Table, guest: str, seat: int, word: str) -> None:
    await shared_dice.commit(table, guest, wire.Commit(seat=seat, commitment=commit_to_word(seat, word)))


async def reveal(table: Table, guest: str, seat: int, word: str) -> None:
    await shared_dice.reveal(table, guest, wire.Reveal(seat=seat, word=word))


async def gathered(sitting: Seated, *more: str) -> Table:
    """Ana and Ben in the lobby, each bound to a word."""
    table = await sitting.table("me", "friend", *more, start=False)
    await seating.join(table, BEN, wire.Join(name="Ben"))
    await commit(table, ANA, 0, WORD[ANA])
    await commit(table, BEN, 1, WORD[BEN])
    return table


def record_of(table: Table) -> GameRecord:
    assert table.state.play is not None
    return GameRecord.read(table.state.play.record(table.state.summary).to_json())


# --------------------------------------------------------------------------- as it should be


def test_words_are_frozen_then_revealed_and_then_the_game_begins(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting, "normal")
            page = await sitting.page(table, None)
            bound = [commit_to_word(0, WORD[ANA]), commit_to_word(1, WORD[BEN]), None]
            assert [seat.has_word for seat in table.info("en").seats] == [True, True, False]
            await seating.start(table, ANA)
            told = page.last["table"]["fairness"]
            assert (page.entries, told["frozen"], told["commitments"]) == (["frozen"], True, bound)
            assert told["words"] is None
            await reveal(table, ANA, 0, WORD[ANA])
            assert table.state.summary.is_starting
            told = page.last["table"]["fairness"]
            assert told["words"] is None
            await reveal(table, BEN, 1, WORD[BEN])
            assert page.entries == ["frozen", "revealed", "revealed", "started"]
            assert page.last["table"]["fairness"]["words"] == [WORD[ANA], WORD[BEN], ""]
            assert page.lines[0] == "The game begins."
            await finish(sitting, table)
            verdict = fair.verify(record_of(table), words={0: WORD[ANA]}, committed={1: bound[1] or ""})
            assert (verdict.holds, verdict.version, verdict.mixed) == (True, 2, [0, 1])

    asyncio.run(scene())


def test_at_the_time_of_the_freeze_nothing_but_commitments_is_known(tmp_path: Path) -> None:
    """The operator's view: all that the service has before the first reveal stands in its journal."""

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            journal = await sitting.service.store.journal(table.code)
            known = "\n".join(write_body(entry.body) for entry in journal)
            assert table.state.summary.secret in known
            assert commit_to_word(1, WORD[BEN]) in known
            assert WORD[ANA] not in known
            assert WORD[BEN] not in known
            # Whoever runs the service plays as Ana: now no other word of hers counts.
            await refused("has_begun", commit(table, ANA, 0, "ground"))
            await reveal(table, BEN, 1, WORD[BEN])
            await refused("wrong_word", reveal(table, ANA, 0, "ground"))

    asyncio.run(scene())


def test_play_now_commits_with_the_request_that_makes_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            seats = [
                wire.NewSeat(kind="me", commitment=commit_to_word(0, WORD[ANA])),
                wire.NewSeat(kind="here", commitment=commit_to_word(1, WORD[BEN])),
                wire.NewSeat(kind="bot", bot="normal"),
            ]
            request = wire.NewTable(edition="ciudad", seats=seats, start=True)
            table = await sitting.service.lobby.make(ANA, request, "en")
            assert table.info("en").fairness.frozen
            await reveal(table, ANA, 0, WORD[ANA])
            await reveal(table, ANA, 1, WORD[BEN])  # one device, two seats, two words
            assert table.is_played
            assert table.state.summary.words == [WORD[ANA], WORD[BEN], ""]

    asyncio.run(scene())


def test_a_rematch_commits_with_its_request(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal")
            await finish(sitting, table)
            bound = [commit_to_word(0, WORD[ANA]), None]
            following = await sitting.service.lobby.rematch(table, ANA, bound)
            assert following.info("en").fairness.frozen
            await reveal(following, ANA, 0, WORD[ANA])
            assert following.is_played

    asyncio.run(scene())


def test_who_comes_to_a_kept_seat_commits_as_everybody_does(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            await finish(sitting, table)
            following = await sitting.service.lobby.rematch(table, ANA, [commit_to_word(0, WORD[ANA])])
            await refused("not_your_seat", commit(following, BEN, 1, WORD[BEN]))
            await sitting.page(following, BEN)  # gets the seat that was kept
            await commit(following, BEN, 1, WORD[BEN])
            await seating.start(following, ANA)
            assert following.state.summary.missing_words == [0, 1]

    asyncio.run(scene())


# -------------------------------------------------------------------------------- who may what


def test_only_who_holds_a_seat_commits_and_reveals_for_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting, "normal")
            for guest, seat in ((CARO, 0), (BEN, 0), (ANA, 1), (ANA, 2)):
                await refused("not_your_seat", commit(table, guest, seat, "mine"))
            await refused("no_such_seat", commit(table, ANA, 4, "mine"))
            await seating.start(table, ANA)
            await refused("not_your_seat", reveal(table, ANA, 1, WORD[BEN]))
            await refused("not_your_seat", reveal(table, CARO, 1, WORD[BEN]))
            assert table.state.summary.missing_words == [0, 1]

    asyncio.run(scene())


def test_nobody_commits_for_a_seat_of_another_when_a_table_is_made(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            for kind in ("friend", "bot"):
                seats = [
                    wire.NewSeat(kind="me"),
                    wire.NewSeat.model_validate({"kind": kind, "commitment": "ab" * 32}),
                ]
                request = wire.NewTable(edition="ciudad", seats=seats)
                await refused("not_your_seat", sitting.service.lobby.make(ANA, request, "en"))
            table = await sitting.friends(BEN)
            await finish(sitting, table)
            rematch = sitting.service.lobby.rematch
            await refused("not_your_seat", rematch(table, ANA, [None, "ab" * 32]))
            await refused("not_your_seat", rematch(table, ANA, [None] * 4 + ["ab" * 32]))

    asyncio.run(scene())


def test_before_the_start_one_may_commit_to_another_word(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            last = table.state.last
            await commit(table, ANA, 0, WORD[ANA])  # the same again: nothing has happened
            assert table.state.last == last
            await commit(table, ANA, 0, "lucky seven")
            await refused("not_frozen", reveal(table, ANA, 0, "lucky seven"))
            await seating.start(table, ANA)
            await refused("wrong_word", reveal(table, ANA, 0, WORD[ANA]))
            await reveal(table, ANA, 0, "lucky seven")
            assert table.state.summary.missing_words == [1]

    asyncio.run(scene())


def test_a_second_reveal_changes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            last = table.state.last
            await reveal(table, ANA, 0, WORD[ANA])
            assert table.state.last == last
            await reveal(table, BEN, 1, WORD[BEN])
            last = table.state.last
            await reveal(table, BEN, 1, WORD[BEN])
            assert table.state.last == last

    asyncio.run(scene())


def test_a_game_that_is_starting_cannot_be_started_twice_nor_joined(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            await refused("has_begun", seating.start(table, ANA))
            await refused("has_begun", seating.join(table, CARO, wire.Join(name="Caro")))

    asyncio.run(scene())


def test_no_word_lets_a_closed_table_begin_whose_secret_has_been_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            seats = [
                wire.NewSeat(kind="me", commitment=commit_to_word(0, WORD[ANA])),
                wire.NewSeat(kind="bot", bot="normal"),
            ]
            request = wire.NewTable(edition="ciudad", seats=seats, start=True)
            table = await sitting.service.lobby.make(ANA, request, "en")
            await seating.leave(table, ANA)
            assert table.info("en").fairness.secret is not None
            last = table.state.last
            await refused("is_closed", reveal(table, ANA, 0, WORD[ANA]))
            await refused("is_closed", commit(table, ANA, 0, "mine"))
            assert (table.state.last, table.state.summary.stage) == (last, "closed")

    asyncio.run(scene())


def test_who_comes_back_to_a_forsaken_start_still_reveals(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            async with table.lock:
                await table.write(Closed(forsaken=True))
            await refused("is_closed", reveal(table, ANA, 0, WORD[ANA]))
            await sitting.page(table, ANA)  # opens it again
            await reveal(table, ANA, 0, WORD[ANA])
            await reveal(table, BEN, 1, WORD[BEN])
            assert table.is_played

    asyncio.run(scene())


def test_a_seat_loses_its_commitment_with_its_player(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.change_seat(table, ANA, 1, wire.ChangeSeat(do="rename", name="Benno"))
            assert table.info("en").fairness.commitments[1] is not None
            await seating.leave(table, BEN)
            assert table.info("en").fairness.commitments[1] is None
            await seating.change_seat(table, ANA, 1, wire.ChangeSeat(do="fill", bot="normal"))
            await seating.start(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            assert table.state.summary.words == [WORD[ANA], ""]

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ forfeits


def test_who_does_not_reveal_forfeits_and_everybody_is_told_by_name(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            page = await sitting.page(table, ANA)
            await seating.start(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            await sitting.clock.turn(SECONDS - 0.1)
            assert table.state.summary.is_starting
            await sitting.clock.turn(0.2)
            await until(lambda: table.is_played)
            sentence = "Ben did not show their word for the dice, so the game begins without it."
            assert page.lines[0] == f"The game begins. {sentence}"
            await reveal(table, BEN, 1, WORD[BEN])  # too late, and it changes nothing
            assert table.state.summary.words == [WORD[ANA], ""]
            await finish(sitting, table)
            record = record_of(table)
            assert record.fair is not None
            assert record.fair.commitments[1] == commit_to_word(1, WORD[BEN])
            verdict = fair.verify(record)
            assert (verdict.holds, verdict.mixed, verdict.forfeited) == (True, [0], [1])

    asyncio.run(scene())


def test_who_leaves_before_they_reveal_forfeits_and_a_bot_plays(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await sitting.page(table, ANA)
            await seating.start(table, ANA)
            await seating.leave(table, BEN)
            await reveal(table, ANA, 0, WORD[ANA])
            await sitting.clock.turn(SECONDS + 0.1)
            await until(lambda: table.is_played)
            assert table.state.summary.chairs[1].kind == "bot"
            assert table.state.summary.missing_words == [1]

    asyncio.run(scene())


def test_nobody_forfeits_while_nobody_looks(tmp_path: Path) -> None:
    """Whoever made the table has gone before the answer came: their word counts when they are back."""

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            await sitting.clock.turn(10 * SECONDS)
            assert table.state.summary.is_starting
            await sitting.page(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            await reveal(table, BEN, 1, WORD[BEN])
            assert table.state.summary.words == [WORD[ANA], WORD[BEN]]
            await sitting.clock.turn(10 * SECONDS)
            assert table.is_played

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ restarts


def test_a_restart_between_freeze_and_reveal_loses_nothing(tmp_path: Path) -> None:
    async def before() -> str:
        async with seated(tmp_path) as sitting:
            table = await gathered(sitting)
            await seating.start(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            return table.code

    async def after(code: str) -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.service.lobby.find(code)
            assert table.state.summary.missing_words == [1]
            page = await sitting.page(table, BEN)
            assert page.of("welcome")[0]["table"]["fairness"]["frozen"]
            await reveal(table, BEN, 1, WORD[BEN])
            assert table.state.summary.words == [WORD[ANA], WORD[BEN]]

    async def forfeited(code: str) -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.service.lobby.find(code)
            await sitting.page(table, ANA)
            await sitting.clock.turn(SECONDS + 0.1)
            await until(lambda: table.is_played)
            assert table.state.summary.words == [WORD[ANA], ""]

    asyncio.run(after(asyncio.run(before())))
    asyncio.run(forfeited(asyncio.run(before())))


def test_a_restart_between_commit_and_start_loses_nothing(tmp_path: Path) -> None:
    async def before() -> str:
        async with seated(tmp_path) as sitting:
            return (await gathered(sitting)).code

    async def after(code: str) -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.service.lobby.find(code)
            await seating.start(table, ANA)
            await reveal(table, ANA, 0, WORD[ANA])
            await reveal(table, BEN, 1, WORD[BEN])
            assert table.is_played

    asyncio.run(after(asyncio.run(before())))


def test_a_game_that_began_under_version_1_goes_on_with_its_dice() -> None:
    """A journal as it was stored before words were committed to."""
    settings = TableSettings("deluxe", ["base"], {"max_turns": 4}, "off", "instant", False)
    chairs = [Chair("person", "Ana", guest=ANA), Chair("bot", "Bo", bot="normal")]
    secret, words = bytes(range(32)), ["moon", ""]
    stored = [
        '{"v":1,"body":{"kind":"started","words":["moon",""],"moves":[MOVES]}}',
        '{"v":1,"body":{"kind":"word","seat":0,"word":"moon"}}',
    ]
    made = Entry(1, 0.0, Made(settings, chairs, ANA, secret.hex()))
    mixed = Entry(2, 1.0, read_body(stored[1]))
    assert mixed.body == WordMixed(0, "moon")
    state = TableState.fold("ABCDEFGH", [made, mixed])
    dice = fair.dice_of(1, secret, words)
    game = Game(state.summary.ruleset, names=["Ana", "Bo"], chance="manual")
    while game.waits_for_chance:
        game.play(dice.fall(game))
    dealt = ",".join(f'"{move}"' for move in game.moves)
    started = read_body(stored[0].replace("MOVES", dealt))
    assert started == Started(words, [move.text for move in game.moves], 1)
    state.apply(Entry(3, 2.0, started))
    assert state.play is not None
    number = 4
    while not state.play.game.over:
        seat = state.play.game.to_move
        assert seat is not None
        step = state.play.act(seat, [str(state.play.game.legal_actions()[0])])
        state.apply(Entry(number, 3.0, Moved(seat, step.moves)), step)
        number += 1
    state.summary.stage = "over"
    record = state.play.record(state.summary)
    verdict = fair.verify(GameRecord.read(record.to_json()))
    assert (verdict.holds, verdict.version, verdict.mixed) == (True, 1, [0])


# ---------------------------------------------------------------------------------- the ending


def test_a_table_at_which_nobody_commits_begins_at_once_and_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal")
            assert table.is_played
            await finish(sitting, table)
            verdict = fair.verify(record_of(table))
            assert (verdict.holds, verdict.version, verdict.mixed) == (True, 2, [])

    asyncio.run(scene())


def test_a_game_that_is_closed_for_good_reveals_its_secret_too(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, game_closes=100.0) as sitting:
            left, kept = [await sitting.table("me", "normal") for _ in range(2)]
            for table in (left, kept):
                await sitting.play_on(table, ANA, 1)
                assert fair.verify(record_of(table)).finding == "not_revealed"
            await seating.leave(left, ANA)
            for _ in range(25):  # nothing is closed before the clock has been trusted for a while
                await sitting.clock.turn(360)
                await sitting.service.housekeeping.tidy()
            # Nobody can come back to the one; Ana can to the other, so that its dice are secret still.
            left, kept = [await sitting.service.lobby.find(table.code) for table in (left, kept)]
            assert [table.info("en").stage for table in (left, kept)] == ["closed", "closed"]
            assert left.info("en").fairness.secret == left.state.summary.secret
            verdict = fair.verify(record_of(left))
            assert (verdict.holds, verdict.closed) == (True, True)
            assert kept.info("en").fairness.secret is None
            assert fair.verify(record_of(kept)).finding == "not_revealed"

    asyncio.run(scene())
