/** How large the others' houses and landmarks are, so that everybody's city is whole beside the table if it can be. */

export interface PanelSize {
  /** A house of a street, in pixels. */
  house: number;
  /** A landmark of a skyline. */
  mark: number;
  /** Whether those are shown, too, that are still to be built. */
  unbuilt: boolean;
}

const GAP = 5;
const MARK_GAP = 4;
/** From comfortable to the smallest that can still be told apart. */
export const SIZES: readonly PanelSize[] = [
  { house: 60, mark: 44, unbuilt: true },
  { house: 52, mark: 40, unbuilt: true },
  { house: 46, mark: 36, unbuilt: true },
  { house: 40, mark: 32, unbuilt: true },
  { house: 36, mark: 28, unbuilt: true },
  { house: 32, mark: 25, unbuilt: true },
  { house: 34, mark: 28, unbuilt: false },
  { house: 29, mark: 24, unbuilt: false },
];
/** A panel without its landmarks and houses: the name, and what is around it. */
const FRAME = 44;
/** A house's height for a width of 1: its band and its picture. */
const HOUSE = 1.1;
const MARK = 0.8;

/** A city, as far as its panel's height depends on it. */
export interface Plan {
  cards: number;
  /** Landmarks, built and to be built. */
  landmarks: number;
  built: number;
}

/** The height of a city's panel. */
export function panelHeight(plan: Plan, width: number, { house, mark, unbuilt }: PanelSize): number {
  const marks = unbuilt ? plan.landmarks : plan.built;
  const columns = Math.max(1, Math.floor((width + GAP) / (house + GAP)));
  const streets = Math.max(1, Math.ceil(plan.cards / columns));
  const across = Math.min(mark, (width + MARK_GAP) / Math.max(1, marks) - MARK_GAP);
  const skyline = marks > 0 ? MARK * across + 6 : unbuilt ? 24 : 0;
  return FRAME + skyline + streets * (house * HOUSE + GAP);
}

/** The largest size at which all panels fit below each other, or the smallest there is. */
export function fitPanels(plans: readonly Plan[], width: number, height: number, gap: number): PanelSize {
  const total = (size: PanelSize) =>
    plans.reduce((sum, plan) => sum + panelHeight(plan, width, size) + gap, -gap);
  return SIZES.find((size) => total(size) <= height) ?? SIZES.at(-1)!;
}

/** The same for panels beside each other. */
export function fitAbreast(plans: readonly Plan[], width: number, height: number): PanelSize {
  const highest = (size: PanelSize) => Math.max(0, ...plans.map((plan) => panelHeight(plan, width, size)));
  return SIZES.find((size) => highest(size) <= height) ?? SIZES.at(-1)!;
}
