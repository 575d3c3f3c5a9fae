"""A page of documentation per edition: what agents see there, and what they may do.

    python -m dicetown.envs.pages docs/envs

The pages say what the code says, since they are made from it. They show an edition with all its sets; what
differs by the number of players stands side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from pathlib import Path
from typing import TypeVar

from dicetown.envs.core.batch import PATIENCE
from dicetown.envs.core.tree import tree_for
from dicetown.errors import DicetownError, EnvError
from dicetown.extras import need
from dicetown.material import load
from dicetown.rules.codes import MAX_TOTAL
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import VERSION, Field, Spec, spec_for

#: What came with each version of observations, actions and rewards, the oldest first.
HISTORY = ((0, "the first: all editions, 2 to 5 players, one step for each real choice"),)

COMMAND = "python -m dicetown.envs.pages docs/envs"
_ME = "me."
Kind = TypeVar("Kind")
_MEANINGS = {
    "roll 1": "roll one die",
    "roll 2": "roll two dice",
    "keep": "let the dice lie",
    "reroll 1": "roll one die again",
    "reroll 2": "roll two dice again",
    "add_two yes": "raise the total by 2",
    "add_two no": "leave the total",
    "decline": "decline an effect that is optional",
    "pass": "build nothing",
    "invest yes": "put a coin on the Tech Startup",
    "invest no": "put none there",
    "player +K": "choose the player so far clockwise: to take coins from, to hand a card to, to trade with",
    "first CARD": "choose the card that resolves next",
    "give CARD": "hand over an open copy",
    "give CARD closed": "hand over a closed copy",
    "take CARD": "take an open copy in return",
    "take CARD closed": "take a closed copy in return",
    "card CARD": "choose a type to be closed or to be activated",
    "landmark LANDMARK": "demolish a landmark of one's own",
    "build CARD": "build an establishment",
    "build LANDMARK": "build a landmark",
}
_CHANCES = {
    ("dice", 1): ("`dice D`", "one die shows D"),
    ("dice", 2): ("`dice D E`", "two dice show D and E: 1 1, 1 2, …, 6 6"),
    ("tuna", 2): ("`tuna D E`", "the tuna dice show D and E"),
    ("draw", 1): ("`draw THING`", "a card or landmark is drawn: those that come from a deck, in their order"),
}


def page_of(edition: str) -> str:
    """The page of an edition.

    >>> page_of("ciudad").splitlines()[0]
    '# Ciudad Machi Koro (`ciudad`) for agents'
    """
    ruleset = Ruleset(edition)
    specs = [spec_for(ruleset, n) for n in range(ruleset.min_players, ruleset.max_players + 1)]
    parts = [
        _opening(ruleset),
        _sizes(ruleset),
        _observation(specs),
        _lists(specs[0]),
        _actions(specs),
        _chances(ruleset),
        _rewards(),
        _history(),
    ]
    return "\n\n".join(parts) + "\n"


def write_pages(folder: Path) -> list[Path]:
    """Write the page of each edition into a folder; returns what was written."""
    if not folder.is_dir():
        raise EnvError(f'There is no folder "{folder}" to write the pages into.')
    pages = {folder / f"{edition}.md": page_of(edition) for edition in load().editions}
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return list(pages)


# ------------------------------------------------------------------------------ the parts of a page


def _opening(ruleset: Ruleset) -> str:
    edition = ruleset.edition
    sets = ", ".join(f"`{name}`" for name in ruleset.set_ids)
    rows = [
        ("rules", "[the editions, and how they are ruled](../rules.md#the-editions)"),
        ("players", f"{ruleset.min_players} to {ruleset.max_players}"),
        ("sets", sets),
        ("Gymnasium", ", ".join(f"`{name}`" for name in _gymnasium_ids(edition.id))),
        ("PettingZoo", f'`dicetown_v{VERSION}`: `dicetown_v{VERSION}.env(edition="{edition.id}")`'),
        ("OpenSpiel", f"`python_dicetown(edition={edition.id})`"),
        ("version", str(VERSION)),
    ]
    return "\n\n".join(
        [
            f"# {edition.name['en']} (`{edition.id}`) for agents",
            f"{edition.blurb['en']} This page is made from the code: `{COMMAND}`.",
            _table(("", ""), "ll", rows),
        ]
    )


def _gymnasium_ids(edition: str) -> list[str]:
    """The id of an edition, after the one that has all of them."""
    (registration,) = need("envs", "gymnasium.envs.registration", what="This page")
    ours = {name: one.kwargs for name, one in registration.registry.items() if name.startswith("dicetown/")}
    return [name for name, fixed in ours.items() if fixed.get("edition", edition) == edition]


def _sizes(ruleset: Ruleset) -> str:
    """How long observations are and how many actions there are, by sets and players."""
    counts = range(ruleset.min_players, ruleset.max_players + 1)
    first, *more = ruleset.set_ids
    rows = []
    for size in range(len(more) + 1):
        for chosen in combinations(more, size):
            mix = Ruleset(ruleset.edition.id, sets=[first, *chosen])
            specs = [spec_for(mix, n) if n <= mix.max_players else None for n in counts]
            cells = (f"{spec.size} / {spec.actions}" if spec else "–" for spec in specs)
            rows.append((" + ".join((first, *chosen)), *cells))
    heads = ("sets", *(f"{n} players" for n in counts))
    return _section(
        "How many numbers, how many actions",
        "House rules may change both: `max_turns` shows the turns that are left, a market without decks has"
        " no `deck`. `dicetown.sight.spec.Spec(ruleset, players)` lists them for any ruleset.",
        _table(heads, "l" + "r" * len(counts), rows),
    )


def _observation(specs: Sequence[Spec]) -> str:
    """The tables of what is seen: one city, then the rest, whose places depend on the number of players."""
    city = [field for field in specs[0].fields if field.name.startswith(_ME)]
    size = sum(field.size for field in city)
    in_city = [
        (
            f"`{field.name.removeprefix(_ME)}`",
            str(field.at),
            str(field.size),
            f"{field.most:,}",
            _meaning(field, specs[0].ruleset),
        )
        for field in city
    ]
    rest = ([field for field in spec.fields if field.at >= spec.players * size] for spec in specs)
    beside = [
        (
            f"`{same[0].name}`",
            *(str(field.at) for field in same),
            _several(field.size for field in same),
            f"{same[0].most:,}",
            _meaning(same[-1], specs[0].ruleset),
        )
        for same in zip(*rest, strict=True)
    ]
    places = [f"at, {spec.players} players" for spec in specs]
    return _section(
        "The observation",
        "Whole numbers of 16 bits, none below 0. All of the table is seen, from the seat of who looks.",
        f"Each city takes {size} numbers: one's own from 0 on (`me`), that of the next player clockwise from"
        f" {size} on (`player+1`), then {2 * size}, and so on.",
        _table(("field", "place in the city", "numbers", "most", "meaning"), "lrrrl", in_city),
        "After the cities, by the number of players:",
        _table(("field", *places, "numbers", "most", "meaning"), "l" + "r" * len(specs) + "rrl", beside),
    )


def _meaning(field: Field, ruleset: Ruleset) -> str:
    """What a field means, and what its numbers are of."""
    cards = tuple(card.id for card in ruleset.cards)
    landmarks = tuple(landmark.id for landmark in ruleset.landmarks)
    known = {
        ("",): "",
        cards: "the cards",
        landmarks: "the landmarks",
        (*cards, *landmarks): "the cards, then the landmarks",
    }
    if field.entries in known:
        of = known[field.entries]
    elif field.name == "due":
        of = "the entries of the total's agenda"
    elif "player+1" in field.entries:
        of = ", ".join(field.entries[:2]) + ", …"
    else:
        of = ", ".join(field.entries)
    return f"{field.meaning} ({of})" if of else field.meaning


def _lists(spec: Spec) -> str:
    """Cards and landmarks in their order, and the agendas that `due` speaks of."""
    ruleset, t = spec.ruleset, spec.tables
    cards = [card.id for card in ruleset.cards]
    parts = [
        f"**The cards**, from 0: {', '.join(cards)}.",
        f"**The landmarks**, from 0: {', '.join(landmark.id for landmark in ruleset.landmarks)}.",
    ]
    if spec.sight.deals:
        agendas = [
            (str(total), ", ".join(cards[card] for card in t.agenda[total, : t.n_agenda[total]]))
            for total in range(1, MAX_TOTAL + 1)
            if t.n_agenda[total]
        ]
        parts += ["**The agendas**: the cards that a total activates, in the order in which they resolve."]
        parts += [_table(("total", "cards"), "rl", agendas)]
    return "\n\n".join(parts)


def _actions(specs: Sequence[Spec]) -> str:
    """The table of actions; those of all cards or all landmarks in one row."""
    runs = [list(_runs(_pattern(spec, name) for name in spec.action_names)) for spec in specs]
    rows = [
        (f"`{same[0][0]}`", *(_span(first, size) for _, first, size in same), _MEANINGS[same[0][0]])
        for same in zip(*runs, strict=True)
    ]
    heads = ("action", *(f"{spec.players} players" for spec in specs), "meaning")
    return _section(
        "The actions",
        "A mask says which are legal. CARD and LANDMARK stand for each of them, in their order; +K for each"
        " other player, clockwise.",
        _table(heads, "l" + "r" * len(specs) + "l", rows),
    )


def _pattern(spec: Spec, name: str) -> str:
    """An action's name without what it names: ``build CARD``."""
    verb, *rest = name.split()
    if verb == "player":
        return "player +K"
    if rest and rest[0] in {card.id for card in spec.ruleset.cards}:
        rest[0] = "CARD"
    elif rest and rest[0] in {landmark.id for landmark in spec.ruleset.landmarks}:
        rest[0] = "LANDMARK"
    return " ".join((verb, *rest))


def _chances(ruleset: Ruleset) -> str:
    """The table of what chance may bring, for OpenSpiel, which alone shows it to agents."""
    names = tree_for(ruleset, ruleset.min_players, PATIENCE).chance_names
    kinds = (_CHANCES[word, len(rest)] for word, *rest in (name.split() for name in names))
    rows = [(name, _span(first, size), meaning) for (name, meaning), first, size in _runs(kinds)]
    return _section(
        "Chance",
        "In OpenSpiel dice and draws are nodes of their own, with exact probabilities; elsewhere they happen"
        " between two steps.",
        _table(("outcome", "numbers", "meaning"), "lrl", rows),
    )


def _rewards() -> str:
    return _section(
        "Rewards",
        "At the end of a game the winner gets 1 and each of the n − 1 others −1 / (n − 1), so that all"
        " rewards sum to zero. Before the end everybody gets 0, and also at the end of a game that nobody"
        f" has won; it is given up after {PATIENCE:,} turns, unless you say otherwise.",
        "A step is a real choice: where there is only one thing to do, it is done.",
    )


def _history() -> str:
    rows = [(str(version), what) for version, what in HISTORY]
    return _section("Versions", _table(("version", "what came with it"), "rl", rows))


# ------------------------------------------------------------------------------ how it is written


def _runs(kinds: Iterable[Kind]) -> Iterator[tuple[Kind, int, int]]:
    """Equal neighbours in a row, each with its first place and how many they are."""
    at = 0
    for kind, same in groupby(kinds):
        size = len(list(same))
        yield kind, at, size
        at += size


def _span(first: int, size: int) -> str:
    return str(first) if size == 1 else f"{first}–{first + size - 1}"


def _several(sizes: Iterable[int]) -> str:
    """One number, or those by the number of players."""
    found = list(sizes)
    return str(found[0]) if len(set(found)) == 1 else ", ".join(map(str, found))


def _section(head: str, *parts: str) -> str:
    return "\n\n".join((f"## {head}", *parts))


def _table(heads: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; `sides` has l or r for each column."""
    rule = ["---:" if side == "r" else "---" for side in sides]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows))


def main() -> int:
    """Write the pages into the folder named."""
    if len(sys.argv) != 2:
        print(f"Name the folder for the pages: {COMMAND}", file=sys.stderr)
        return 2
    try:
        written = write_pages(Path(sys.argv[1]))
    except DicetownError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
