// Compares the checks of the browser with those of the service.
import type { Check, CheckName } from "#core/verify/check.ts";
import { CHECK_TITLE, needsOpening, STATUS_WORD } from "#core/verify/labels.ts";

interface NamedCheck {
  readonly name: CheckName;
  readonly index?: number | undefined;
  readonly status: Check["status"] | "pending";
  readonly code?: Check["code"] | undefined;
}

const keyOf = ({ name, index }: NamedCheck): string => `${name} ${index ?? ""}`;

/** Looks up the status of a check by its name and index. */
export function statusLookup(checks: readonly NamedCheck[]): (check: NamedCheck) => NamedCheck["status"] | undefined {
  const statuses = new Map(checks.map((check) => [keyOf(check), check.status]));
  return (check) => statuses.get(keyOf(check));
}

/**
 * Leaves out what only one of the two checks: the service derives ids; the reader trusts ids, and holds openings that do
 * not reach the service.
 */
export function disagreements(ours: readonly NamedCheck[], theirs: readonly NamedCheck[]) {
  const withoutOpening = new Set(theirs.filter(needsOpening).map(keyOf));
  const ofBoth = (check: NamedCheck) => !ONE_SIDED.has(check.name) && !withoutOpening.has(keyOf(check));
  const ofBrowser = resultsByRow(ours.filter(ofBoth));
  const ofService = resultsByRow(theirs.filter(ofBoth));
  // A side that had no receipt checked no memory. Then one row compares all memories together.
  const isMerged = ofBrowser.has(ALL_MEMORIES) !== ofService.has(ALL_MEMORIES);
  const [browser, service] = isMerged ? [mergeMemories(ofBrowser), mergeMemories(ofService)] : [ofBrowser, ofService];
  return [...new Set([...browser.keys(), ...service.keys()])].flatMap((about) => {
    const [left = NOT_CHECKED, right = NOT_CHECKED] = [browser.get(about), service.get(about)];
    return left === right ? [] : [{ about, browser: left, service: right }];
  });
}

const ONE_SIDED: ReadonlySet<CheckName> = new Set(["id", "trust", "opening", "log"]);
const ALL_MEMORIES = CHECK_TITLE.memory;
const MEMORY = "Memory";
const NOT_CHECKED = "not checked";

/** The title of each row and its result. */
const resultsByRow = (checks: readonly NamedCheck[]): Map<string, string> =>
  new Map(checks.map((check) => [titleOf(check), resultOf(check.status)]));

const titleOf = ({ name, index }: NamedCheck): string =>
  index === undefined ? CHECK_TITLE[name] : `${MEMORY} ${index + 1}`;

/** Merges the rows of all memories into one: "11 pass, 1 fail". */
function mergeMemories(rows: ReadonlyMap<string, string>): Map<string, string> {
  const isMemory = (about: string) => about === ALL_MEMORIES || about.startsWith(MEMORY);
  const counts = new Map<string, number>();
  for (const [about, result] of rows) if (isMemory(about)) counts.set(result, (counts.get(result) ?? 0) + 1);
  const results = [...counts].map(([result, count]) => (rows.has(ALL_MEMORIES) ? result : `${count} ${result}`));
  return new Map([...[...rows].filter(([about]) => !isMemory(about)), [ALL_MEMORIES, results.join(", ")]]);
}

const resultOf = (status: NamedCheck["status"]): string =>
  status === "pending" ? NOT_CHECKED : STATUS_WORD[status].toLowerCase();
