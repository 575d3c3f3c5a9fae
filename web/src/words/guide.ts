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
      "Before the first roll, everybody builds a little. Choose cards with different numbers: then more rolls pay you.",
    roll: "Your turn: roll! The total decides which cards act. Look at the numbers on top of your cards.",
    two_dice:
      "You may roll two dice now: totals up to 12, those in the middle most often. Your small numbers come up less, though.",
    income: "A {total}! Your {card} pays you {n}.",
    nothing:
      "A {total}: no card of yours has that number. The more different numbers you own, the more often you are paid.",
    build: "Now build one thing, if you like. You can afford the bright cards; tap one to see what it does.",
    undo: "Changed your mind? Until the next die rolls, you can take this back.",
    others:
      "{name} rolls. Watch: blue cards pay you on everybody's turn, and red ones take from whoever rolls.",
    blue: "{name} rolled it, and your {card} still pays you {n}: blue cards act on everyone's turn.",
    red_lost:
      "{name}'s {card} takes {n} from you: red cards act on other people's turns. Build some yourself, if you like.",
    red_got: "Your {card} takes {n} from {name}: red cards act when somebody else rolls their number.",
    purple: "Your {card} acts: purple cards do something special on your own turn.",
    landmark: "You can afford a landmark: {card}! It helps you from now on and brings you closer to winning.",
    landmark_built: "Well built! From now on:",
    near_you: "One more landmark and you win!",
    near_other: "Careful: {name} needs just one more landmark to win.",
    won_you: "You have won! The result shows how the game went, and why.",
    won_other:
      "{name} has won. The result shows how the game went, and why. You know the game now: once more?",
    // questions that a card asks
    reroll: "You may roll once more. Under the buttons you see what keeping this roll brings.",
    add_two: "You may raise the total. Compare what both would bring, then choose.",
    order: "Several of your cards act at once. You decide which comes first.",
    player: "This card wants you to choose somebody. Mind how many coins they have.",
    give: "Choose the card that you give away. Nothing is final before you confirm.",
    take: "Choose what you get for it. Nothing is final before you confirm.",
    card: "Choose a kind of card; the buttons say what happens to it.",
    landmark_down: "One of your landmarks has to go back. Choose the one that you miss least.",
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
      "Antes de la primera tirada, cada cual construye algo. Elige cartas con números distintos: así cobrarás con más tiradas.",
    roll: "Es tu turno: ¡tira! El total decide qué cartas se activan. Mira los números en la parte de arriba de tus cartas.",
    two_dice:
      "Ahora puedes tirar dos dados: totales hasta 12, los del medio más a menudo. Tus números bajos saldrán menos, eso sí.",
    income: "¡Un {total}! {card} te da {n}.",
    nothing:
      "Un {total}: ninguna carta tuya tiene ese número. Cuantos más números distintos tengas, más veces cobras.",
    build:
      "Ahora construye algo, si quieres. Las cartas de color vivo están a tu alcance; toca una para ver qué hace.",
    undo: "¿Has cambiado de idea? Hasta que se tire el próximo dado, puedes deshacerlo.",
    others:
      "Tira {name}. Atención: las cartas azules te pagan en el turno de cualquiera, y las rojas cobran a quien tira.",
    blue: "Lo ha sacado {name}, y aun así {card} te da {n}: las cartas azules se activan en el turno de cualquiera.",
    red_lost:
      "{card} de {name} te quita {n}: las cartas rojas se activan en el turno de los demás. Tú también puedes construirlas.",
    red_got: "Tu carta {card} le quita {n} a {name}: las rojas se activan cuando otro saca su número.",
    purple: "Se activa tu carta {card}: las violetas hacen algo especial en tu propio turno.",
    landmark: "Te alcanza para un punto de interés: ¡{card}! Te ayuda desde ahora y te acerca a la victoria.",
    landmark_built: "¡Bien construido! Desde ahora:",
    near_you: "¡Un punto de interés más y ganas!",
    near_other: "Cuidado: a {name} le falta un solo punto de interés para ganar.",
    won_you: "¡Has ganado! El resultado muestra cómo fue la partida, y por qué.",
    won_other:
      "Ha ganado {name}. El resultado muestra cómo fue la partida, y por qué. Ya conoces el juego: ¿otra?",
    reroll: "Puedes tirar otra vez. Bajo los botones ves lo que da quedarse con esta tirada.",
    add_two: "Puedes subir el total. Compara lo que daría cada uno y elige.",
    order: "Varias de tus cartas se activan a la vez. Tú decides cuál va primero.",
    player: "Esta carta pide que elijas a alguien. Fíjate en cuántas monedas tiene.",
    give: "Elige la carta que das. Nada es definitivo hasta que lo confirmes.",
    take: "Elige lo que recibes a cambio. Nada es definitivo hasta que lo confirmes.",
    card: "Elige un tipo de carta; los botones dicen qué le pasará.",
    landmark_down:
      "Tienes que derribar uno de tus puntos de interés. Elige el que menos vayas a echar de menos.",
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
      "Diese Stadt gehört dir. Wer zuerst die Großprojekte hat, die zum Sieg reichen, gewinnt: Es sind die goldenen.",
    start_round:
      "Vor dem ersten Wurf bauen alle ein wenig. Nimm Karten mit verschiedenen Zahlen: Dann zahlt sich öfter ein Wurf aus.",
    roll: "Du bist dran: Würfle! Die Augenzahl entscheidet, welche Karten wirken. Achte auf die Zahlen oben auf deinen Karten.",
    two_dice:
      "Jetzt darfst du zwei Würfel nehmen: bis zu 12, die Mitte am häufigsten. Deine kleinen Zahlen fallen dann aber seltener.",
    income: "Eine {total}! {card} bringt dir {n}.",
    nothing:
      "Eine {total}: Keine deiner Karten hat diese Zahl. Je mehr verschiedene Zahlen du hast, desto öfter bekommst du etwas.",
    build:
      "Jetzt darfst du etwas bauen. Die kräftig gefärbten Karten kannst du dir leisten; tippe eine an, um zu sehen, was sie tut.",
    undo: "Anders überlegt? Bis der nächste Würfel fällt, kannst du das zurücknehmen.",
    others:
      "{name} würfelt. Achte darauf: Blaue Karten wirken in jedem Zug, rote kassieren bei dem, der würfelt.",
    blue: "{name} hat gewürfelt, und {card} bringt trotzdem dir {n}: Blaue Karten wirken in jedem Zug.",
    red_lost:
      "{card} von {name} nimmt dir {n} ab: Rote Karten wirken im Zug der anderen. Du kannst auch welche bauen.",
    red_got: "Deine Karte {card} nimmt {name} {n} ab: Rote wirken, wenn jemand anders ihre Zahl würfelt.",
    purple: "Deine Karte {card} wirkt: Violette tun im eigenen Zug etwas Besonderes.",
    landmark:
      "Du kannst dir ein Großprojekt leisten: {card}! Es hilft dir ab jetzt und bringt dich dem Sieg näher.",
    landmark_built: "Gut gebaut! Ab jetzt gilt:",
    near_you: "Noch ein Großprojekt, und du gewinnst!",
    near_other: "Vorsicht: {name} fehlt nur noch ein Großprojekt zum Sieg.",
    won_you: "Du hast gewonnen! Das Ergebnis zeigt, wie die Partie lief und warum.",
    won_other:
      "{name} hat gewonnen. Das Ergebnis zeigt, wie die Partie lief und warum. Jetzt kennst du das Spiel: noch einmal?",
    reroll:
      "Du darfst noch einmal würfeln. Unter den Knöpfen steht, was dieser Wurf bringt, wenn du ihn behältst.",
    add_two: "Du darfst die Augenzahl erhöhen. Vergleiche, was beides brächte, und wähle.",
    order: "Mehrere deiner Karten wirken zugleich. Du bestimmst, welche zuerst.",
    player: "Bei dieser Karte suchst du jemanden aus. Achte darauf, wie viele Münzen alle haben.",
    give: "Such die Karte aus, die du hergibst. Endgültig ist erst, was du bestätigst.",
    take: "Such dir aus, was du dafür bekommst. Endgültig ist erst, was du bestätigst.",
    card: "Such eine Kartenart aus; auf den Knöpfen steht, was mit ihr geschieht.",
    landmark_down:
      "Eines deiner Großprojekte muss abgerissen werden. Nimm das, auf das du am ehesten verzichten kannst.",
    invest: "Du darfst eine Münze auf diese Karte legen. Je mehr dort liegen, desto mehr bringt sie später.",
  },
});
