/**
 * What is on the picture of each card: a ground, and two or three icons on it.
 *
 * The icons come from Fluent Emoji (MIT); where they stand is ours. A picture is 64 wide and 48 high. An icon is
 * given by its name, the middle of its foot (x, y) and its size; what stands in front comes last.
 */

export type Ground =
  | "field"
  | "hills"
  | "street"
  | "shop"
  | "terrace"
  | "works"
  | "sea"
  | "rocks"
  | "plaza"
  | "rails"
  | "sky"
  | "night";

export type Placed = readonly [icon: string, x: number, y: number, size: number, turned?: "turned"];

export type Picture = { ground: Ground; icons: readonly Placed[] };

const on = (ground: Ground, ...icons: Placed[]): Picture => ({ ground, icons });

export const PICTURES: Readonly<Record<string, Picture>> = {
  // Fields, meadows, woods, water: what everybody's roll sets going.
  wheat_field: on(
    "field",
    ["sheaf-of-rice", 14, 36, 24],
    ["sheaf-of-rice", 51, 36, 24],
    ["sheaf-of-rice", 32, 44, 38],
  ),
  ranch: on("hills", ["house-with-garden", 50, 31, 24], ["cow", 27, 44, 36]),
  flower_orchard: on("field", ["tulip", 14, 37, 24], ["tulip", 50, 37, 24], ["tulip", 32, 45, 34]),
  flower_garden: on("hills", ["hibiscus", 14, 39, 22], ["blossom", 51, 39, 24], ["sunflower", 32, 45, 36]),
  corn_field: on(
    "field",
    ["ear-of-corn", 13, 36, 23],
    ["ear-of-corn", 50, 36, 23],
    ["ear-of-corn", 32, 44, 37],
  ),
  forest: on(
    "hills",
    ["deciduous-tree", 49, 38, 32],
    ["evergreen-tree", 13, 40, 30],
    ["evergreen-tree", 31, 45, 40],
  ),
  vineyard: on("field", ["grapes", 14, 36, 22], ["grapes", 51, 36, 22], ["grapes", 32, 45, 36]),
  apple_orchard: on(
    "field",
    ["deciduous-tree", 17, 40, 38],
    ["red-apple", 54, 43, 16],
    ["red-apple", 39, 45, 26],
  ),
  mine: on("rocks", ["mountain", 42, 40, 42], ["rock", 51, 45, 20], ["pick", 22, 44, 34]),
  diamine: on("rocks", ["rock", 50, 44, 24], ["pick", 17, 36, 26], ["gem-stone", 31, 45, 34]),
  mackerel_boat: on("sea", ["sailboat", 25, 38, 36], ["fish", 48, 45, 20]),
  tuna_boat: on("sea", ["ship", 17, 29, 26], ["fishing-pole", 52, 32, 26], ["fish", 33, 46, 34, "turned"]),

  // Shops and workshops.
  bakery: on("shop", ["baguette-bread", 49, 38, 28], ["croissant", 15, 43, 23], ["bread", 34, 44, 32]),
  convenience_store: on("street", ["convenience-store", 26, 42, 42], ["rice-ball", 53, 44, 18]),
  general_store: on("shop", ["jar", 13, 42, 24], ["honey-pot", 51, 43, 24], ["basket", 32, 44, 30]),
  flower_shop: on("shop", ["potted-plant", 13, 43, 25], ["rose", 52, 43, 25], ["bouquet", 33, 44, 34]),
  fruit_and_vegetable_market: on(
    "shop",
    ["carrot", 13, 42, 26],
    ["eggplant", 51, 42, 26],
    ["tomato", 32, 44, 30],
  ),
  cheese_factory: on(
    "works",
    ["factory", 16, 35, 30],
    ["glass-of-milk", 52, 43, 24],
    ["cheese-wedge", 31, 45, 34],
  ),
  furniture_factory: on(
    "works",
    ["carpentry-saw", 15, 32, 25],
    ["couch-and-lamp", 44, 42, 36],
    ["chair", 18, 45, 29],
  ),
  food_warehouse: on("works", ["package", 17, 39, 30], ["package", 47, 36, 26], ["canned-food", 35, 45, 30]),
  winery: on(
    "works",
    ["bottle-with-popping-cork", 47, 42, 34],
    ["grapes", 13, 44, 22],
    ["wine-glass", 29, 45, 36],
  ),
  soda_bottling_plant: on(
    "works",
    ["factory", 47, 37, 34],
    ["beverage-box", 13, 44, 24],
    ["cup-with-straw", 30, 45, 38],
  ),
  demolition_company: on(
    "street",
    ["derelict-house", 37, 42, 40],
    ["collision", 49, 26, 26],
    ["hammer", 15, 44, 28],
  ),
  loan_office: on("street", ["bank", 25, 42, 40], ["dollar-banknote", 49, 45, 24]),
  moving_company: on(
    "street",
    ["couch-and-lamp", 50, 36, 24],
    ["delivery-truck", 26, 45, 42],
    ["package", 54, 45, 18],
  ),

  // Tables and counters: what the others' roll sets going.
  cafe: on("terrace", ["shortcake", 50, 43, 26], ["hot-beverage", 26, 45, 38]),
  family_restaurant: on("terrace", ["fork-and-knife-with-plate", 19, 41, 34], ["spaghetti", 42, 45, 36]),
  sushi_bar: on("terrace", ["chopsticks", 13, 41, 32], ["sake", 52, 43, 25], ["sushi", 31, 45, 34]),
  pizza_joint: on("terrace", ["hot-pepper", 53, 43, 20], ["tomato", 12, 43, 20], ["pizza", 32, 45, 38]),
  hamburger_stand: on("terrace", ["french-fries", 50, 42, 27], ["hamburger", 26, 45, 38]),
  french_restaurant: on(
    "terrace",
    ["candle", 13, 40, 30],
    ["wine-glass", 52, 42, 28],
    ["bellhop-bell", 32, 45, 34],
  ),
  members_only_club: on("night", ["top-hat", 46, 43, 30], ["cocktail-glass", 23, 45, 38]),

  // The towers of the town.
  stadium: on("plaza", ["stadium", 32, 42, 46], ["soccer-ball", 51, 45, 18]),
  tv_station: on("plaza", ["satellite-antenna", 51, 34, 28], ["television", 26, 45, 40]),
  business_center: on("plaza", ["office-building", 21, 42, 40], ["briefcase", 46, 45, 28]),
  publisher: on("plaza", ["books", 15, 42, 26], ["fountain-pen", 53, 34, 22], ["newspaper", 37, 45, 34]),
  tax_office: on("plaza", ["abacus", 16, 41, 28], ["receipt", 50, 41, 30], ["money-bag", 33, 45, 30]),
  renovation_company: on("plaza", ["house", 32, 43, 40], ["ladder", 12, 44, 32], ["paintbrush", 51, 44, 28]),
  tech_startup: on("plaza", ["light-bulb", 49, 35, 30], ["laptop", 28, 45, 38]),
  convention_center: on(
    "plaza",
    ["speech-balloon", 21, 25, 26],
    ["identification-card", 21, 45, 30],
    ["studio-microphone", 46, 45, 36],
  ),
  shopping_district: on(
    "plaza",
    ["red-paper-lantern", 11, 29, 22],
    ["red-paper-lantern", 53, 29, 22],
    ["shopping-cart", 32, 45, 34],
  ),
  park: on("plaza", ["deciduous-tree", 13, 40, 30], ["deciduous-tree", 52, 40, 30], ["fountain", 32, 45, 34]),

  // Landmarks.
  city_hall: on("plaza", ["triangular-flag", 36, 19, 17], ["classical-building", 32, 44, 40]),
  harbor: on("sea", ["passenger-ship", 39, 36, 40], ["anchor", 16, 45, 28]),
  train_station: on("rails", ["station", 48, 39, 28], ["locomotive", 23, 44, 38]),
  shopping_mall: on("street", ["department-store", 24, 42, 40], ["shopping-bags", 48, 45, 26]),
  amusement_park: on("hills", ["roller-coaster", 49, 40, 32], ["ferris-wheel", 23, 44, 42]),
  radio_tower: on("sky", ["tokyo-tower", 32, 45, 44], ["radio", 51, 45, 20]),
  airport: on("sky", ["airplane-departure", 31, 45, 46], ["cloud", 52, 18, 16]),
  farmers_market: on("field", ["basket", 50, 44, 24], ["tractor", 25, 43, 38]),
  forge: on("works", ["fire", 44, 43, 34], ["gear", 50, 45, 18], ["hammer", 24, 45, 36]),
  temple: on("hills", ["cherry-blossom", 11, 25, 20], ["lotus", 53, 45, 20], ["shinto-shrine", 30, 44, 40]),
  charterhouse: on("hills", ["herb", 54, 44, 20], ["church", 28, 43, 42]),
  observatory: on("night", ["ringed-planet", 50, 27, 24], ["telescope", 26, 45, 38]),
  museum: on("plaza", ["framed-picture", 45, 37, 32], ["amphora", 20, 45, 38]),
  exhibit_hall: on("street", ["circus-tent", 27, 43, 42], ["admission-tickets", 51, 45, 22]),
  launch_pad: on(
    "night",
    ["crescent-moon", 52, 22, 18],
    ["building-construction", 13, 44, 30],
    ["rocket", 37, 43, 40],
  ),
};

/** For a card that is so new that nobody has drawn it. */
const PLAIN: Picture = on("street", ["houses", 32, 43, 40]);

export const pictureOf = (card: string): Picture => PICTURES[card] ?? PLAIN;

/** The names of all icons that the pictures need. */
export function iconsOf(): string[] {
  const pictures = [...Object.values(PICTURES), PLAIN];
  return [...new Set(pictures.flatMap((picture) => picture.icons.map(([icon]) => icon)))].sort();
}
