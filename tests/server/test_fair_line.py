"""Waiting in line: everybody has a turn, however many names and questions others have."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dicetown.server.common.fair_line import Asker, Capacity, FairLine

PLENTY = Capacity(of_one=1000, of_address=1000, in_all=1000)
askers = st.builds(Asker, st.sampled_from("xyz"), st.sampled_from("abc"))


def ask(line: FairLine[tuple[Asker, int]], those: list[Asker]) -> list[tuple[Asker, int]]:
    """Let everybody ask in this order; what they asked, numbered."""
    things = [(asker, number) for number, asker in enumerate(those)]
    for asker, number in things:
        line.join(asker, (asker, number))
    return things


def served(line: FairLine[tuple[Asker, int]]) -> list[tuple[Asker, int]]:
    """Everything, in the order in which it is served."""
    found = []
    while (thing := line.next()) is not None:
        found.append(thing)
    return found


@given(st.lists(askers, max_size=40))
def test_everything_is_served_once_and_to_each_in_the_order_they_asked(those: list[Asker]) -> None:
    line: FairLine[tuple[Asker, int]] = FairLine(PLENTY)
    things = ask(line, those)
    assert len(line) == len(things)
    answers = served(line)
    assert sorted(answers, key=lambda thing: thing[1]) == things
    for one in set(those):
        assert [thing for thing in answers if thing[0] == one] == [
            thing for thing in things if thing[0] == one
        ]
    assert len(line) == 0
    assert line.next() is None


@given(st.lists(askers, max_size=40))
def test_nobody_is_served_twice_while_another_waits_who_was_not(those: list[Asker]) -> None:
    line: FairLine[tuple[Asker, int]] = FairLine(PLENTY)
    ask(line, those)
    left = Counter(asker.address for asker in those)
    turns: Counter[str] = Counter()
    for asker, _ in served(line):
        turns[asker.address] += 1
        left[asker.address] -= 1
        still = [turns[address] for address, number in left.items() if number]
        assert all(turns[asker.address] - had <= 1 for had in still)


@given(st.lists(st.sampled_from("abc"), max_size=40))
def test_those_behind_one_address_take_turns_among_themselves(names: list[str]) -> None:
    line: FairLine[tuple[Asker, int]] = FairLine(PLENTY)
    ask(line, [Asker("x", name) for name in names])
    left, turns = Counter(names), Counter[str]()
    for asker, _ in served(line):
        turns[asker.name] += 1
        left[asker.name] -= 1
        assert all(turns[asker.name] - turns[name] <= 1 for name, number in left.items() if number)


@given(st.lists(askers, min_size=1, max_size=20), st.data())
def test_who_goes_away_makes_room_and_changes_nothing_for_others(
    those: list[Asker], data: st.DataObject
) -> None:
    line: FairLine[tuple[Asker, int]] = FairLine(PLENTY)
    things = ask(line, those)
    gone = data.draw(st.sets(st.sampled_from(things)))
    for thing in gone:
        line.leave(thing[0], thing)
        line.leave(thing[0], thing)  # once more does nothing
    assert len(line) == len(things) - len(gone)
    assert sorted(served(line)) == sorted(set(things) - gone)


def test_a_line_has_room_for_so_many_of_one_of_an_address_and_in_all() -> None:
    line: FairLine[int] = FairLine(Capacity(of_one=2, of_address=3, in_all=4))
    ana, ben, far = Asker("near", "ana"), Asker("near", "ben"), Asker("far", "ana")
    for asker, room in [(ana, True), (ana, True), (ana, False), (ben, True), (ben, False), (far, True)]:
        assert line.has_room(asker) == room
        if room:
            line.join(asker, 0)
    assert not line.has_room(Asker("elsewhere", "caro"))
    line.next()
    assert line.has_room(Asker("elsewhere", "caro"))
