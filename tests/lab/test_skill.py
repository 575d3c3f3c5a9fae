"""Weak players and strong, counted in little tables whose answers are known."""

from pathlib import Path

import pytest
from tests.lab.by_hand import BASE, NUMBERS, base_sample, write_sample

from dicetown.errors import LabError
from dicetown.lab.findings.section import Estimate
from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.skill import Compared, Figures, samples_for, study
from dicetown.lab.studies.study import Wish
from dicetown.languages import LANGUAGES

CAFE, MINE, FOREST = (NUMBERS[card] for card in ("cafe", "mine", "forest"))
GAMES = 400


def write(folder: Path, bot: str, bought: dict[int, int], turns: int) -> Recorded:
    """Games of two, of which seat 0 wins half; in the first so many of them, seat 0 buys a thing."""
    games = [{"turns": turns, "winner": number % 2, "half_rank_of_winner": 0} for number in range(GAMES)]
    players = [
        {"game": game, "seat": seat, "won": seat == game % 2, "first": CAFE if seat else MINE}
        for game in range(GAMES)
        for seat in range(2)
    ]
    purchases = [
        {"game": game, "seat": 0, "thing": thing, "turn": 1, "copy": 1, "price": 2, "won": game % 2 == 0}
        for thing, buyers in bought.items()
        for game in range(buyers)
    ]
    return write_sample(folder / bot, base_sample(2, GAMES, bot), games, players, purchases)


@pytest.fixture
def samples(tmp_path: Path) -> list[Recorded]:
    weak = write(tmp_path, "greedy", {CAFE: 300, MINE: 20, FOREST: 150}, turns=60)
    return [weak, write(tmp_path, "champion", {CAFE: 100, MINE: 200, FOREST: 160}, turns=40)]


def test_the_share_of_players_who_buy_a_card_is_compared(samples: list[Recorded]) -> None:
    compared = Compared(*(Figures(one, "en") for one in samples))
    more = compared.differences
    assert list(more) == [MINE, FOREST, CAFE]
    assert more[MINE].value == pytest.approx((200 - 20) / (2 * GAMES))
    assert compared.underrated == [MINE]
    assert compared.overrated == [CAFE]
    assert more[FOREST].low < 0 < more[FOREST].high


def test_a_card_by_which_strong_players_lose_is_not_underrated(tmp_path: Path) -> None:
    weak = write(tmp_path, "greedy", {MINE: 20}, turns=60)
    strong = write(tmp_path, "champion", {MINE: 0}, turns=60)
    losing = [
        {"game": game, "seat": 0, "thing": MINE, "turn": 1, "copy": 1, "price": 6}
        for game in range(1, GAMES, 2)
    ]
    games = [{"turns": 60, "winner": number % 2} for number in range(GAMES)]
    players = [
        {"game": game, "seat": seat, "won": seat == game % 2} for game in range(GAMES) for seat in range(2)
    ]
    strong = write_sample(tmp_path / "losing", base_sample(2, GAMES, "champion"), games, players, losing)
    compared = Compared(Figures(weak, "en"), Figures(strong, "en"))
    assert compared.differences[MINE].low > 0
    assert compared.underrated == []


def test_the_section_tells_who_plays_quicker_and_what_is_underrated(samples: list[Recorded]) -> None:
    section = study(samples, "en")
    assert section.answer.startswith(
        "2 players: among champion a game takes 20.0 (20.0–20.0) turns per player, among greedy 30.0"
    )
    assert "strong players buy it): Mine +22" in section.answer
    assert "Overrated: Café −25" in section.answer
    first = {row[1]: row[2:] for row in section.table("first").rows}
    assert isinstance(first["Mine"][0], Estimate)
    assert first["Mine"][0].value == pytest.approx(0.5)
    assert section.table("course").cells("bot") == ["greedy", "champion"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(samples: list[Recorded], language: str) -> None:
    assert study(samples, language).answer


def test_one_sample_alone_cannot_be_compared(samples: list[Recorded]) -> None:
    with pytest.raises(LabError, match="name two line-ups of one bot"):
        study(samples[:1], "en")


@pytest.mark.parametrize(
    ("lineups", "bots"),
    [
        ([("greedy",)], ["greedy", "champion"]),
        ([("champion",)], ["greedy", "champion"]),
        ([("planner",), ("greedy", "random"), ("hard",)], ["planner", "hard"]),
    ],
)
def test_whoever_names_one_bot_sees_it_beside_the_champion(
    lineups: list[tuple[str, ...]], bots: list[str]
) -> None:
    samples = samples_for(Wish(BASE, (2,), tuple(lineups), 100))
    assert [sample.bots[0] for sample in samples] == bots
