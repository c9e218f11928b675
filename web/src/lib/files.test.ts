import { expect, test } from "vitest";
import { csvLine } from "./files.ts";

test("quotes, commas and line ends stay inside their cell", () => {
  expect(csvLine(["a", 'say "hi"', "x,y", "1\n2", undefined, 3, true])).toBe('a,"say ""hi""","x,y","1\n2",,3,true\r\n');
});

test("a name that looks like a formula is text for a spreadsheet", () => {
  for (const name of ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"]) expect(csvLine([name])).toBe(`'${name}\r\n`);
  expect(csvLine(['=HYPERLINK("http://x")'])).toBe('"\'=HYPERLINK(""http://x"")"\r\n');
  expect(csvLine([-1])).toBe("-1\r\n");
});

test("a name with the separator of another spreadsheet begins no formula there", () => {
  expect(csvLine(["a;=1+1;b"])).toBe('"a;\'=1+1;b"\r\n');
  expect(csvLine(["a\t+1", "a; @x", "a\n-1"])).toBe(`"a\t'+1","a; '@x","a\n'-1"\r\n`);
  expect(csvLine(["\t=1"])).toBe(`"\t'=1"\r\n`);
  expect(csvLine(["a=b; c-d, -e"])).toBe('"a=b; c-d, -e"\r\n');
});
