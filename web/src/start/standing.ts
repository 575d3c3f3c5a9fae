/** How far a table is, in a few words. */
import type { TableInfo } from "../lib/wire";
import { startWords } from "../words/start";

export function standingOf(table: TableInfo): string {
  const { t } = startWords;
  const round = { n: Math.max(1, table.round) };
  switch (table.stage) {
    case "over": {
      const winner = table.seats.find((seat) => seat.seat === table.winner);
      return winner ? t("won_by", { name: winner.name }) : t("nobody_won");
    }
    case "closed":
      return t(table.opens_again ? "put_away_in" : "ended_in", round);
    case "lobby": {
      const free = table.seats.filter((seat) => seat.kind === "open").length;
      return free ? t("waiting_for", { n: free }) : t("gathering");
    }
    case "paused":
      return t("paused");
    case "playing":
      return t("round", round);
  }
}
