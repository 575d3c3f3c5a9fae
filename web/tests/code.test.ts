import { expect, test } from "vitest";
import { codeIn, readOut } from "../src/start/code";

test.each([
  ["ABCD2345", "ABCD2345"],
  [" abcd 2345 ", "ABCD2345"],
  ["abcd-2345", "ABCD2345"],
  ["https://dice.example/t/ABCD2345", "ABCD2345"],
  ["Come! http://192.168.1.5:8000/t/abcd2345?x=1 now", "ABCD2345"],
  ["https://dice.example/t/ABCD2345/replay", "ABCD2345"],
  ["0BCD2341", "OBCD234I"],
])("The code in %j is %s.", (text, code) => expect(codeIn(text)).toBe(code));

test.each(["", "ABCD", "ABCD23456", "ÄBCD2345", "https://dice.example/"])("There is no code in %j.", (text) =>
  expect(codeIn(text)).toBeNull(),
);

test("A code is read out in two halves.", () => expect(readOut("ABCD2345")).toBe("ABCD 2345"));
