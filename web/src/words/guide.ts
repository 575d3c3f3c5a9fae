// What the guide says during a first game. Its texts have the names of its tips (guide/tips.ts).
import { area } from "../lib/words.svelte";

export const guideWords = area({
  en: {
    guide: "Guide",
    offer: "New here? I'll explain things as they come, and never keep you waiting.",
    offer_yes: "Yes, please",
    offer_no: "No, thanks",
    got_it: "Got it",
    enough: "I know enough",
    // the game as such
    goal: {
      one: "This town is yours. Be the first to build {n} landmark, and you win: they stand as outlines beside your city.",
      other:
        "This town is yours. Be the first to build {n} landmarks, and you win: they stand as outlines beside your city.",
    },
    goal_any: "This town is yours. Be the first to build the landmarks that win: they are the golden ones.",
    start_round:
      "Before the first roll, everybody builds a little. The number on top of a card is the roll that sets it off.",
    roll: "Your turn to roll. The total decides which cards act: those with that number on top.",
    two_dice: "You may roll one die or two. Two make totals from 2 to 12, those in the middle most often.",
    income: "A {total}: your {card} pays you {n}.",
    nothing: "A {total}: none of your cards pays you this time.",
    build: "Now you may build one thing. You can afford the bright cards; tap one to see what it does.",
    undo: "Until the next die rolls, you can take this back.",
    others:
      "The others play now. Blue cards pay you on everybody's turn, and red ones take from whoever rolls.",
    blue: "{name} rolled it, and your {card} still pays you {n}: blue cards act on everyone's turn.",
    red_lost: "{name}'s {card} takes {n} from you: red cards act on other people's turns.",
    red_got: "Your {card} takes {n} from {name}: red cards act when somebody else rolls their number.",
    purple: "Your {card} acts: purple cards do something special on your own turn.",
    landmark: "You can afford a landmark. Each counts towards winning, and does what its card says.",
    landmark_built: "{card} is built. From now on:",
    near_you: "You need one more landmark to win.",
    near_other: "{name} needs one more landmark to win.",
    won_you: "You have won! The result shows how the game went, and why.",
    won_other:
      "{name} has won. The result shows how the game went, and why. You know the game now: once more?",
    // questions that a card asks
    reroll: "You may roll once more. On the buttons you see what keeping this roll brings.",
    add_two: "You may raise the total. On the buttons you see what either would bring.",
    order: "Several of your cards act at once. You decide which comes first.",
    player: "Choose the player whom this card is about. Beside each name you see their coins.",
    give: "Choose the card that you give away. Nothing is final before you confirm.",
    take: "Choose what you get for it. Nothing is final before you confirm.",
    card: "Choose a kind of card; the buttons say what happens to it.",
    landmark_down: "One of your landmarks is pulled down. You choose which.",
    invest: "You may put a coin on this card. The more lie there, the more it brings later.",
  },
  es: {
    guide: "Guía",
    offer: "¿Primera vez? Te lo explico todo sobre la marcha, sin hacerte esperar.",
    offer_yes: "Sí, por favor",
    offer_no: "No, gracias",
    got_it: "Entendido",
    enough: "Ya sé bastante",
    goal: {
      one: "Esta ciudad es tuya. Construye {n} punto de interés antes que nadie y ganas: su silueta está junto a tu ciudad.",
      other:
        "Esta ciudad es tuya. Construye {n} puntos de interés antes que nadie y ganas: sus siluetas están junto a tu ciudad.",
    },
    goal_any:
      "Esta ciudad es tuya. Construye antes que nadie los puntos de interés que dan la victoria: los dorados.",
    start_round:
      "Antes de la primera tirada, cada cual construye algo. El número de arriba de una carta es la tirada que la activa.",
    roll: "Te toca tirar. El total decide qué cartas se activan: las que llevan ese número arriba.",
    two_dice: "Puedes tirar un dado o dos. Con dos salen totales del 2 al 12, los del medio más a menudo.",
    income: "Un {total}: {card} te da {n}.",
    nothing: "Un {total}: esta vez ninguna de tus cartas te da nada.",
    build:
      "Ahora puedes construir una cosa. Las cartas de color vivo están a tu alcance; toca una para ver qué hace.",
    undo: "Hasta que se tire el próximo dado, puedes deshacerlo.",
    others:
      "Ahora juegan los demás. Las cartas azules te pagan en el turno de cualquiera, y las rojas cobran a quien tira.",
    blue: "Lo ha sacado {name}, y aun así {card} te da {n}: las cartas azules se activan en el turno de cualquiera.",
    red_lost: "{card} de {name} te quita {n}: las cartas rojas se activan en el turno de los demás.",
    red_got: "Tu carta {card} le quita {n} a {name}: las rojas se activan cuando otro saca su número.",
    purple: "Se activa tu carta {card}: las violetas hacen algo especial en tu propio turno.",
    landmark: "Te alcanza para un punto de interés. Cada uno cuenta para ganar y hace lo que dice su carta.",
    landmark_built: "{card}: construido. Desde ahora:",
    near_you: "Te falta un punto de interés para ganar.",
    near_other: "A {name} le falta un punto de interés para ganar.",
    won_you: "¡Has ganado! El resultado muestra cómo fue la partida, y por qué.",
    won_other:
      "Ha ganado {name}. El resultado muestra cómo fue la partida, y por qué. Ya conoces el juego: ¿otra?",
    reroll: "Puedes tirar otra vez. En los botones ves lo que da quedarse con esta tirada.",
    add_two: "Puedes subir el total. En los botones ves lo que daría cada uno.",
    order: "Varias de tus cartas se activan a la vez. Tú decides cuál va primero.",
    player: "Elige al jugador al que afecta esta carta. Junto a cada nombre ves sus monedas.",
    give: "Elige la carta que das. Nada es definitivo hasta que lo confirmes.",
    take: "Elige lo que recibes a cambio. Nada es definitivo hasta que lo confirmes.",
    card: "Elige un tipo de carta; los botones dicen qué le pasará.",
    landmark_down: "Hay que derribar uno de tus puntos de interés. Tú eliges cuál.",
    invest: "Puedes poner una moneda en esta carta. Cuantas más haya, más dará después.",
  },
  de: {
    guide: "Einführung",
    offer: "Neu hier? Ich erkläre alles, wenn es drankommt, und halte dich nie auf.",
    offer_yes: "Ja, bitte",
    offer_no: "Nein, danke",
    got_it: "Verstanden",
    enough: "Ich weiß genug",
    goal: {
      one: "Diese Stadt gehört dir. Wer zuerst {n} Großprojekt gebaut hat, gewinnt: Als Umriss steht es schon neben deiner Stadt.",
      other:
        "Diese Stadt gehört dir. Wer zuerst {n} Großprojekte gebaut hat, gewinnt: Als Umrisse stehen sie schon neben deiner Stadt.",
    },
    goal_any:
      "Diese Stadt gehört dir. Wer zuerst die zum Sieg nötigen Großprojekte hat, gewinnt: Es sind die goldenen.",
    start_round:
      "Vor dem ersten Wurf bauen alle ein wenig. Die Zahl oben auf einer Karte ist der Wurf, bei dem sie wirkt.",
    roll: "Du bist mit Würfeln dran. Die Augenzahl entscheidet, welche Karten wirken: die mit dieser Zahl oben.",
    two_dice:
      "Du darfst einen oder zwei Würfel nehmen. Mit zweien fallen Summen von 2 bis 12, die mittleren am häufigsten.",
    income: "Eine {total}: {card} bringt dir {n}.",
    nothing: "Eine {total}: Diesmal bringt dir keine deiner Karten etwas.",
    build:
      "Jetzt darfst du eine Sache bauen. Die kräftig gefärbten Karten kannst du dir leisten; tippe eine an, um zu sehen, was sie tut.",
    undo: "Bis der nächste Würfel fällt, kannst du das zurücknehmen.",
    others:
      "Jetzt spielen die anderen. Blaue Karten wirken in jedem Zug, rote kassieren bei dem, der würfelt.",
    blue: "{name} hat gewürfelt, und {card} bringt trotzdem dir {n}: Blaue Karten wirken in jedem Zug.",
    red_lost: "{card} von {name} nimmt dir {n} ab: Rote Karten wirken im Zug der anderen.",
    red_got: "Deine Karte {card} nimmt {name} {n} ab: Rote wirken, wenn jemand anders ihre Zahl würfelt.",
    purple: "Deine Karte {card} wirkt: Violette tun im eigenen Zug etwas Besonderes.",
    landmark:
      "Du kannst dir ein Großprojekt leisten. Jedes zählt für den Sieg und tut, was auf seiner Karte steht.",
    landmark_built: "{card} steht. Ab jetzt gilt:",
    near_you: "Dir fehlt noch ein Großprojekt zum Sieg.",
    near_other: "{name} fehlt noch ein Großprojekt zum Sieg.",
    won_you: "Du hast gewonnen! Das Ergebnis zeigt, wie die Partie lief und warum.",
    won_other:
      "{name} hat gewonnen. Das Ergebnis zeigt, wie die Partie lief und warum. Jetzt kennst du das Spiel: noch einmal?",
    reroll:
      "Du darfst noch einmal würfeln. Auf den Knöpfen steht, was dieser Wurf bringt, wenn du ihn behältst.",
    add_two: "Du darfst die Augenzahl erhöhen. Auf den Knöpfen steht, was beides brächte.",
    order: "Mehrere deiner Karten wirken zugleich. Du bestimmst, welche zuerst.",
    player: "Such aus, wen diese Karte betrifft. Neben jedem Namen stehen die Münzen.",
    give: "Such die Karte aus, die du hergibst. Endgültig ist erst, was du bestätigst.",
    take: "Such dir aus, was du dafür bekommst. Endgültig ist erst, was du bestätigst.",
    card: "Such eine Kartenart aus; auf den Knöpfen steht, was mit ihr geschieht.",
    landmark_down: "Eines deiner Großprojekte wird abgerissen. Du bestimmst, welches.",
    invest: "Du darfst eine Münze auf diese Karte legen. Je mehr dort liegen, desto mehr bringt sie später.",
  },
});
