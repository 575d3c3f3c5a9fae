import { describe, expect, it } from "vitest";
import { roundPath, roundPaths } from "../vite-round-paths";

describe("rounding the paths of a drawing", () => {
  it("does not let the pen drift", () => {
    expect(roundPath("M0 0l.33.33.33.33.33.33", 1)).toBe("m0 0l.3 .3 .4 .4 .3 .3");
  });

  it("writes lines, curves and closings as steps from where the pen is", () => {
    expect(roundPath("M1 1H5.04V9L2 2zM3 3C4 4 5 5 6 6S7 7 8 8", 1)).toBe(
      "m1 1h4v8l-3-7zm2 2c1 1 2 2 3 3s1 1 2 2",
    );
  });

  it("begins anew where a closed outline began", () => {
    expect(roundPath("M2 2l4 0 0 4zl1 1", 1)).toBe("m2 2l4 0 0 4zl1 1");
  });

  it("reads the flags of arcs that stick together", () => {
    expect(roundPath("M0 0a1.25 1.25 0 011.04.96", 1)).toBe("m0 0a1.25 1.25 0 0 1 1 1");
    expect(roundPath("M0 0a1 1 0 1 0 2 0A1 1 0 0 1 4 0", 1)).toBe("m0 0a1 1 0 1 0 2 0 1 1 0 0 1 2 0");
  });

  it("takes what follows a move for lines", () => {
    expect(roundPath("M1 1 2 2 3 3", 1)).toBe("m1 1l1 1 1 1");
    expect(roundPath("m1 1 2 2", 1)).toBe("m1 1l2 2");
  });

  it("touches nothing but paths", () => {
    expect(roundPaths('<circle cx="1.234"/><path fill="#abc" d="M1.26 1"/>', 1)).toBe(
      '<circle cx="1.234"/><path fill="#abc" d="m1.3 1"/>',
    );
  });
});
