import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { thirdPartyText } from "../vite-third-party";

it("carries the licences of what others made", () => {
  const text = thirdPartyText().replace(/\s+/g, " ");
  expect(text).toContain("SIL OPEN FONT LICENSE Version 1.1");
  expect(text).toContain("Copyright (c) Microsoft Corporation");
  expect(text.match(/free of charge, to any person obtaining a copy of this software/g)).toHaveLength(3);
  expect(text).not.toContain("The Dicetown authors");
});

it("names the same works in NOTICE", () => {
  const notice = readFileSync(`${import.meta.dirname}/../../NOTICE`, "utf8");
  for (const work of ["Fluent Emoji", "Nunito", "Svelte", "clsx"]) expect(notice).toContain(work);
});
