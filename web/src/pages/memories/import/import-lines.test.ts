import { describe, expect, test } from "vitest";
import { csvRows, FileFault, linesOf } from "./import-lines.ts";

const fileOf = (text: string, name = "memories.csv") => new File([text], name);
const factsOf = async (text: string) =>
  (await (await linesOf(fileOf(text))).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("CSV has quoted cells with separators, line breaks and quotes in them, and other separators, by line", () => {
  expect(csvRows('a,b,c\r\n1,"x, ""y""\nz",\r\n\r\n2,,3')).toEqual([
    ["a", "b", "c"],
    ["1", 'x, "y"\nz', ""],
    undefined,
    undefined,
    ["2", "", "3"],
  ]);
  expect(csvRows("a;b\n1,5;2\n")).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
});

describe("a file of memories", () => {
  test("is lines of JSON from CSV, by the names of its columns", async () => {
    expect(await factsOf("Text,Category,other\nNo peanuts.,health,x\nFish.,diet,y\n")).toEqual([
      { content: "No peanuts.", namespace: "health", sourceAgent: "import" },
      { content: "Fish.", namespace: "diet", sourceAgent: "import" },
    ]);
  });

  test("keeps the lines of a CSV file, as its header, line breaks in cells and empty lines are lines too", async () => {
    const lines = await linesOf(fileOf('text,category\n"Two\nlines.",health\n\nFish.,diet\n'));
    expect((await lines.text()).split("\n").map((line) => line && JSON.parse(line).content)).toEqual([
      "",
      "Two\nlines.",
      "",
      "",
      "Fish.",
      "",
    ]);
    expect((await linesOf(fileOf("text,category\n"))).size).toBe(0);
  });

  test("is the same for a JSON array, and as it is for lines of JSON", async () => {
    const fact = { content: "Fish.", namespace: "diet", sourceAgent: "mine" };
    expect(await factsOf(JSON.stringify([fact]))).toEqual([fact]);
    const lines = fileOf(`${JSON.stringify(fact)}\n`);
    expect(await linesOf(lines)).toBe(lines);
  });

  test("is refused before anything is sent when it has no column of a memory's", async () => {
    await expect(linesOf(fileOf("name,age\nAda,36\n"))).rejects.toThrow(FileFault);
    await expect(linesOf(fileOf("[1,"))).rejects.toThrow("not valid JSON");
  });
});
