import { expect, test } from "vitest";
import { parseReport } from "./test-report.ts";

const report = `Running Move unit tests
[ PASS    ] portcullis::access_tests::new_gate_allows_nothing
[ FAIL    ] portcullis::access_tests::same_name
[ TIMEOUT ] portcullis::anchor_tests::never_ends
[ FAIL    ] portcullis::anchor_tests::same_name

Test failures:

Failures in portcullis::access_tests:

┌── same_name ──────
│ error[E11001]: test failure
│   ┌─ tests/access_tests.move:5:19
│   │
│ 5 │     abort
│   │     ^^^^^ Test was not expected to error
│ 
│ 
└──────────────────

Failures in portcullis::anchor_tests:

┌── never_ends ──────
│ Test timed out
└──────────────────


┌── same_name ──────
│ another detail
└──────────────────

Test result: FAILED. Total tests: 4; passed: 1; failed: 3
`;

test("returns the result of each test, with the detail of a failure", () => {
  expect(parseReport(report)).toEqual([
    { module: "access_tests", name: "new_gate_allows_nothing", passed: true },
    {
      module: "access_tests",
      name: "same_name",
      passed: false,
      detail: expect.stringMatching(/^error\[E11001\]: test failure\n {2}┌─ tests.*was not expected to error$/s),
    },
    { module: "anchor_tests", name: "never_ends", passed: false, detail: "Test timed out" },
    { module: "anchor_tests", name: "same_name", passed: false, detail: "another detail" },
  ]);
});

test("throws the compiler's errors", () => {
  const output = "error[E03002]: unbound module\n  ┌─ sources/a.move:2:5\n";
  expect(() => parseReport(output)).toThrow(/does not compile:\nerror\[E03002\]/);
});

test("throws when the report counts more tests than it lists", () => {
  expect(() => parseReport(report.replace("[ FAIL    ]", "[ ODD     ]"))).toThrow("counts 4 tests, but lists 3");
});
