// Parses the output of the Move unit-test runner, which has no other format:
//   [ PASS    ] portcullis::access_tests::new_gate_allows_nothing
// Then, for each module with failures, `Failures in portcullis::access_tests:` and a box of lines for each test.

export type MoveTest = {
  module: string;
  name: string;
  passed: boolean;
  /** The runner's text about a failure: where it stopped and why. */
  detail?: string;
};

const RESULT = /^\[ (PASS|FAIL|TIMEOUT)\s*\] \w+::(\w+)::(\w+)$/;
const FAILURES_IN = /^Failures in \w+::(\w+):$/;
const BOX_OPENS = /^┌── (\w+) ──────/;
const BOX_CLOSES = /^└─/;
const SUMMARY = /^Test result: \w+\. Total tests: (\d+); passed: (\d+); failed: (\d+)$/;

/** Throws for output that is not a complete report, such as the errors of code that does not compile. */
export function parseReport(output: string): MoveTest[] {
  const tests: MoveTest[] = [];
  let total: number | undefined;
  let module = "";
  let box: { test: MoveTest | undefined; lines: string[] } | undefined;

  for (const line of output.split("\n")) {
    if (box) {
      if (!BOX_CLOSES.test(line)) box.lines.push(line.replace(/^│ ?/, ""));
      else {
        if (box.test) box.test.detail = box.lines.join("\n").trim();
        box = undefined;
      }
      continue;
    }
    const result = RESULT.exec(line);
    if (result) tests.push({ module: result[2] ?? "", name: result[3] ?? "", passed: result[1] === "PASS" });
    module = FAILURES_IN.exec(line)?.[1] ?? module;
    const opens = BOX_OPENS.exec(line);
    if (opens) box = { test: tests.find((test) => test.module === module && test.name === opens[1]), lines: [] };
    const summary = SUMMARY.exec(line);
    if (summary) total = Number(summary[1]);
  }
  if (total === undefined) throw new Error(`the Move code does not compile:\n${output.trim()}`);
  // A report with lines that were not understood must not pass for a complete one.
  if (total !== tests.length) throw new Error(`the Move runner counts ${total} tests, but lists ${tests.length}`);
  return tests;
}
