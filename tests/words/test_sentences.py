"""Sentences: what happened, what is asked, what can be chosen and why something cannot be."""

from typing import get_args

import pytest

from dicetown import Game, Ruleset
from dicetown.game import events as e
from dicetown.game.events import Event
from dicetown.languages import LANGUAGES
from dicetown.rules import codes as c
from dicetown.terminal.seats import choose_for
from dicetown.words import Speaker, describe_choices, label, narrate, question
from dicetown.words.actions import name_move
from dicetown.words.refusals import why_not_build

EDITIONS = ("ciudad", "deluxe", "grossstadt", "neue_stadt")
NAMES = ["Ana", "Ben", "Caro"]

SAMPLES: list[tuple[list[Event], str, str, str]] = [
    ([e.TurnBegan(0, False)], "Ana's turn.", "Turno de Ana.", "Ana ist am Zug."),
    ([e.TurnBegan(0, True)], "Ana plays again.", "Ana juega otra vez.", "Ana ist noch einmal am Zug."),
    ([e.DiceRolled(1, (3,))], "Ben rolls a 3.", "Ben saca un 3.", "Ben würfelt eine 3."),
    ([e.DiceRolled(1, (3, 4))], "Ben rolls 3 + 4 = 7.", "Ben saca 3 + 4 = 7.", "Ben würfelt 3 + 4 = 7."),
    (
        [e.TotalRaised(1, 12, 2)],
        "Ben adds 2: the total is 12.",
        "Ben suma 2: el total es 12.",
        "Ben zählt 2 hinzu: Das ergibt 12.",
    ),
    (
        [e.TunaRolled(1, (3, 4))],
        "The catch is rolled: 3 + 4 = 7.",
        "Se tira por la pesca: 3 + 4 = 7.",
        "Der Fang wird gewürfelt: 3 + 4 = 7.",
    ),
    (
        [e.Paid(0, 1, 2, 2, "cafe", 2)],
        "Ben takes 2 from Ana (Café ×2).",
        "Ben le cobra 2 a Ana (Cafetería ×2).",
        "Ben kassiert 2 von Ana (Café ×2).",
    ),
    (
        [e.Paid(0, 1, 1, 3, "cafe", 3)],
        "Ben takes only 1 of 3 from Ana (Café ×3).",
        "Ben solo le cobra 1 de 3 a Ana (Cafetería ×3).",
        "Ben kassiert nur 1 statt 3 von Ana (Café ×3).",
    ),
    (
        [e.Paid(0, 1, 0, 1, "cafe", 1)],
        "Ben takes nothing from Ana, who has no coins (Café).",
        "Ana no puede pagar: Ben no cobra nada (Cafetería).",
        "Ana kann nicht zahlen: Ben bekommt nichts (Café).",
    ),
    (
        [e.Paid(None, 0, 1, 1, "ranch", 1)],
        "Ana gets 1 coin (Ranch).",
        "Ana recibe 1 moneda (Granja).",
        "Ana bekommt 1 Münze (Bauernhof).",
    ),
    (
        [e.Paid(None, 0, 1, 1, "ranch", 1), e.Paid(None, 2, 3, 3, "ranch", 3)],
        "Ranch: Ana +1, Caro +3.",
        "Granja: Ana +1, Caro +3.",
        "Bauernhof: Ana +1, Caro +3.",
    ),
    (
        [e.Paid(0, None, 2, 2, "loan_office", 1)],
        "Ana pays 2 coins (Loan Office).",
        "Ana paga 2 monedas (Oficina de préstamos).",
        "Ana zahlt 2 Münzen (Kreditinstitut).",
    ),
    (
        [e.Paid(0, None, 1, 4, "loan_office", 2)],
        "Ana pays only 1 of 4 (Loan Office ×2).",
        "Ana solo paga 1 de 4 (Oficina de préstamos ×2).",
        "Ana zahlt nur 1 von 4 (Kreditinstitut ×2).",
    ),
    (
        [e.Paid(0, None, 0, 2, "loan_office", 1)],
        "Ana can't pay (Loan Office).",
        "Ana no puede pagar (Oficina de préstamos).",
        "Ana kann nicht zahlen (Kreditinstitut).",
    ),
    (
        [e.Paid(1, 0, 3, 3, "renovation_company", 3)],
        "Ana takes 3 from Ben (Renovation Company).",
        "Ana le cobra 3 a Ben (Empresa de reformas).",
        "Ana kassiert 3 von Ben (Groß-Reinigung).",
    ),
    (
        [e.Paid(None, 0, 1, 1, "help", 1)],
        "Ana has nothing left and gets 1 coin from the bank.",
        "Ana no tiene nada y la banca le da 1 moneda.",
        "Ana hat nichts mehr und bekommt 1 Münze aus der Bank.",
    ),
    (
        [e.Paid(0, None, 2, 2, "price", 1), e.Built(0, "cafe", 2)],
        "Ana builds the Café (2 coins).",
        "Ana construye: Cafetería (2 monedas).",
        "Ana baut: Café (2 Münzen).",
    ),
    (
        [e.Built(0, "loan_office", 0)],
        "Ana builds the Loan Office, which is free.",
        "Ana construye gratis: Oficina de préstamos.",
        "Ana baut kostenlos: Kreditinstitut.",
    ),
    ([e.Passed(0)], "Ana builds nothing.", "Ana no construye nada.", "Ana baut nichts."),
    (
        [e.Forced(0, "pass"), e.Passed(0)],
        "Ana can't build anything.",
        "Ana no puede construir nada.",
        "Ana kann nichts bauen.",
    ),
    (
        [e.Forced(0, "player 1")],
        "Ana has only one choice: Choose Ben.",
        "Ana solo tiene una opción: Elegir a Ben.",
        "Ana hat nur eine Wahl: Ben wählen.",
    ),
    (
        [e.HandedOver(0, 1, "ranch", True, "moving_company")],
        "Ana gives Ben the Ranch (closed) (Moving Company).",
        "Ana le da a Ben: Granja (cerrada) (Empresa de mudanzas).",
        "Ana gibt Ben: Bauernhof (im Urlaub) (Spedition).",
    ),
    (
        [e.Closed(0, "ranch", 2, "renovation_company")],
        "Ana closes Ranch ×2 (Renovation Company).",
        "Ana cierra: Granja ×2 (Empresa de reformas).",
        "Ana schickt in den Urlaub: Bauernhof ×2 (Groß-Reinigung).",
    ),
    (
        [e.Closed(0, "winery", 1, "winery")],
        "Ana closes Winery.",
        "Ana cierra: Bodega.",
        "Ana schickt in den Urlaub: Weingut.",
    ),
    (
        [e.Reopened(0, "ranch", 1)],
        "Ana reopens Ranch.",
        "Ana vuelve a abrir: Granja.",
        "Ana holt aus dem Urlaub zurück: Bauernhof.",
    ),
    (
        [e.Demolished(0, "harbor", "demolition_company")],
        "Ana pulls down the Harbor (Demolition Company).",
        "Ana derriba: Puerto (Empresa de demolición).",
        "Ana reißt ab: Hafen (Baufirma).",
    ),
    (
        [e.Drawn("mine", 0), e.Drawn("cafe", 0), e.Drawn("mine", 0)],
        "New in the market: Mine ×2, Café.",
        "Nuevo en la reserva: Mina ×2, Cafetería.",
        "Neu in der Auslage: Bergwerk ×2, Café.",
    ),
    (
        [e.Discarded("stadium", 2)],
        "Nobody can build it any more, so it leaves the market: Stadium ×2.",
        "Ya nadie puede construirlo, así que sale de la reserva: Estadio ×2.",
        "Niemand kann es mehr bauen, darum verlässt es die Auslage: Stadion ×2.",
    ),
    (
        [e.Returned(0, "convention_center")],
        "Ana puts the Convention Center back into the market.",
        "Ana devuelve a la reserva: Centro de convenciones.",
        "Ana legt zurück in die Auslage: Kongresszentrum.",
    ),
    (
        [e.Invested(0, 1)],
        "Ana puts a coin on the Tech Startup; 1 on it now.",
        "Ana pone una moneda en Empresa emergente; ahora hay 1.",
        "Ana legt eine Münze auf IT-Unternehmen; jetzt liegt dort 1.",
    ),
    (
        [e.ExtraTurnEarned(0, "amusement_park")],
        "Ana will play again (Amusement Park).",
        "Ana jugará otra vez (Parque de atracciones).",
        "Ana ist danach noch einmal am Zug (Freizeitpark).",
    ),
    (
        [e.ExtraTurnEarned(0, None)],
        "Ana will play again.",
        "Ana jugará otra vez.",
        "Ana ist danach noch einmal am Zug.",
    ),
    ([e.Won(0)], "Ana wins the game!", "¡Ana gana la partida!", "Ana gewinnt die Partie!"),
    (
        [e.GameDrawn()],
        "The last turn is over, and nobody has won.",
        "Se ha jugado el último turno y nadie ha ganado.",
        "Der letzte Zug ist vorbei, und niemand hat gewonnen.",
    ),
]
# Deluxe with a Mine as well: its extras replace it.
EVERYTHING = Ruleset("deluxe", house={"cards": sorted(Ruleset("deluxe").supply_ids | {"mine"})})


@pytest.mark.parametrize(("events", "english", "spanish", "german"), SAMPLES)
def test_events_read_like_this(events: list[Event], english: str, spanish: str, german: str) -> None:
    for language, expected in zip(LANGUAGES, (english, spanish, german), strict=True):
        lines = narrate(Speaker(EVERYTHING, NAMES, language), events)
        assert [line.text for line in lines] == [expected]


def test_every_kind_of_event_is_among_the_examples() -> None:
    assert {type(event) for events, *_ in SAMPLES for event in events} == set(get_args(Event))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_action_of_every_edition_has_words(edition: str, language: str) -> None:
    ruleset = Ruleset(edition)
    game = Game(ruleset, players=4, seed=1)
    speaker = Speaker(ruleset, game.names, language)
    named = 0
    for number in range(c.N_ACTIONS):
        try:
            action = game.notation.action(number)
        except KeyError:
            continue
        named += 1
        words = name_move(speaker, action.text)
        assert words
        assert not set(words) & set("{}_")
    assert named > 100


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_can_be_told(edition: str, seed: int) -> None:
    ruleset = Ruleset(edition, house={"max_turns": 120, "reroll_may_change_dice": seed == 1})
    game = Game(ruleset, players=3, seed=seed)
    speakers = [Speaker(ruleset, game.names, language) for language in LANGUAGES]
    while not game.over:
        for speaker in speakers:
            told = [question(speaker, game)]
            for choice in describe_choices(speaker, game):
                told += [choice.text, choice.note, label(speaker, game, choice.action)]
            assert not any(set(text) & set("{}_") for text in told)
        game.play(choose_for("random", game))
    for speaker in speakers:
        lines = narrate(speaker, game.events)
        assert all(line.text and not set(line.text) & set("{}_") for line in lines)


def at_the_build(coins: int, built: str = "", owned: str = "", sold_out: str = "") -> tuple[Speaker, Game]:
    """Ana is about to build, from open stacks."""
    game = Game(Ruleset("deluxe", ["base", "harbor"], {"market": "stacks"}), names=["Ana", "Ben"], seed=1)
    game.play("roll 1")
    assert game.phase == "build"
    game.state.coins[0] = coins
    if built:
        game.state.built[0] |= 1 << (game.notation.numbers[built] - c.MAX_CARDS)
    if owned:
        game.state.owned[0, game.notation.numbers[owned]] = 1
    if sold_out:
        game.state.market[game.notation.numbers[sold_out]] = 0
    game = Game.from_state(game.ruleset, 2, game.state, seed=1)
    return Speaker(game.ruleset, ["Ana", "Ben"], "en"), game


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        ("stadium", "The Stadium costs 6, you have 4."),
        ("forest", "The Forest is sold out."),
        ("harbor", "You have built the Harbor already."),
        ("city_hall", "You have built the City Hall already."),
        ("airport", "The Airport costs 30, you have 4."),
    ],
)
def test_a_refusal_says_what_is_missing(thing: str, reason: str) -> None:
    assert why_not_build(*at_the_build(4, built="harbor", sold_out="forest"), thing) == reason


def test_what_is_still_in_the_deck_is_not_in_the_market_but_not_sold_out() -> None:
    speaker, game = at_the_build(4, sold_out="forest")
    game.state.deck[game.notation.numbers["forest"]] = 1
    assert why_not_build(speaker, game, "forest") == "The Forest is not in the market."


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ana wins the game with the Launch Pad!"),
        ("es", "¡Ana gana la partida con el punto de interés «Base de lanzamiento»!"),
        ("de", "Ana gewinnt die Partie mit dem Großprojekt „Raketenbasis“!"),
    ],
)
def test_a_launch_pad_is_named_as_what_won(language: str, sentence: str) -> None:
    speaker = Speaker(Ruleset("neue_stadt"), NAMES, language)
    told = [line.text for line in narrate(speaker, [e.Built(0, "launch_pad", 45), e.Won(0)])]
    assert told[-1] == sentence
    told = [line.text for line in narrate(speaker, [e.Built(0, "temple", 12), e.Won(0)])]
    assert told[-1] == speaker.say("event.won", name="Ana")


@pytest.mark.parametrize(
    ("coins", "asked"),
    [
        (0, "Put a coin on the Tech Startup? There are none on it yet."),
        (1, "Put a coin on the Tech Startup? There is 1 on it."),
        (2, "Put a coin on the Tech Startup? There are 2 on it."),
    ],
)
def test_a_startup_without_coins_says_that_there_are_none(coins: int, asked: str) -> None:
    game = Game(EVERYTHING, names=NAMES, seed=1)
    game.state.phase, game.state.invested[0] = c.INVEST, coins
    assert question(Speaker(EVERYTHING, NAMES, "en"), game) == asked


def test_a_second_stadium_is_refused_because_of_the_limit() -> None:
    reason = why_not_build(*at_the_build(9, owned="stadium"), "stadium")
    assert reason == "You have as many of the Stadium as a player may have."


def test_nothing_can_be_built_before_the_roll() -> None:
    game = Game(seed=1)
    speaker = Speaker(game.ruleset, game.names, "en")
    assert why_not_build(speaker, game, "cafe") == "That is not possible now."


def test_landmarks_wait_for_the_start_rounds_to_end() -> None:
    game = Game(Ruleset("neue_stadt"), players=2, seed=1)
    speaker = Speaker(game.ruleset, game.names, "en")
    assert why_not_build(speaker, game, "park") == "Landmarks can't be built in the start rounds."
    assert question(speaker, game) == "Start round 1 of 3: what do you build? You have 5 coins."


def test_passing_tells_when_an_airport_pays_for_it() -> None:
    speaker, game = at_the_build(9, built="airport")
    choice = describe_choices(speaker, game)[0]
    assert (choice.text, choice.note) == ("Build nothing", "the bank pays you 10 coins")


def test_a_build_is_labelled_with_its_price() -> None:
    speaker, game = at_the_build(9)
    labels = [label(speaker, game, action) for action in game.legal_actions()]
    assert "Build the Café (2 coins)" in labels
    assert "Build the Harbor (2 coins)" in labels


def test_names_from_a_file_cannot_play_with_the_terminal() -> None:
    speaker = Speaker(Ruleset("deluxe"), ["A\x1b[2Jna", "B\nen"], "en")
    assert speaker.names == ["A�[2Jna", "B�en"]


def test_names_that_run_leftwards_turn_no_amounts_around_on_a_page() -> None:
    names, paid = (
        ["Ana", "דנה", "سارة"],
        [e.Paid(None, seat, 1 + seat, 1 + seat, "wheat_field", 1) for seat in range(3)],
    )
    (line,) = narrate(Speaker(Ruleset("deluxe"), names, "en", on_page=True), paid)
    assert line.text == "Wheat Field: Ana +1, \u2068דנה\u2069 +2, \u2068سارة\u2069 +3."
    (line,) = narrate(Speaker(Ruleset("deluxe"), names, "en"), paid)
    assert line.text == "Wheat Field: Ana +1, דנה +2, سارة +3."  # terminals and files get no marks
