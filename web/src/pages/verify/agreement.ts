// Whether this browser and the service came to the same: check by check.
import type { Check, CheckName } from "#core/verify/check.ts";
import { CHECK_TITLE, STATUS_WORD } from "#core/verify/labels.ts";

interface Named {
  readonly name: CheckName;
  readonly index?: number | undefined;
  readonly status: Check["status"] | "pending";
}

const keyOf = ({ name, index }: Named): string => `${name} ${index ?? ""}`;

/** What the service says of each check of ours, by `name` and `index`. */
export function statusesOf(checks: readonly Named[]): (check: Named) => Named["status"] | undefined {
  const statuses = new Map(checks.map((check) => [keyOf(check), check.status]));
  return (check) => statuses.get(keyOf(check));
}

export interface Disagreement {
  readonly about: string;
  readonly browser: string;
  readonly service: string;
}

/** Only what both could have looked at can be compared; `id` is the service's alone. */
export function disagreements(ours: readonly Named[], theirs: readonly Named[]): Disagreement[] {
  const ofBrowser = byRow(ours);
  const ofService = byRow(theirs.filter(({ name }) => name !== "id"));
  // Who had no receipt has looked at no memory: then one row says so, and not one for each.
  const isWhole = ofBrowser.has(ALL_MEMORIES) !== ofService.has(ALL_MEMORIES);
  const [browser, service] = isWhole ? [together(ofBrowser), together(ofService)] : [ofBrowser, ofService];
  return [...new Set([...browser.keys(), ...service.keys()])].flatMap((about) => {
    const [left = "not looked at", right = "not looked at"] = [browser.get(about), service.get(about)];
    return left === right ? [] : [{ about, browser: left, service: right }];
  });
}

const ALL_MEMORIES = CHECK_TITLE.memory;

/** What each row is about, and what came of it. */
const byRow = (checks: readonly Named[]): Map<string, string> =>
  new Map(checks.map((check) => [aboutOf(check), wordOf(check.status)]));

const aboutOf = ({ name, index }: Named): string =>
  index === undefined ? CHECK_TITLE[name] : `${MEMORY} ${index + 1}`;

const MEMORY = "Memory";

/** With all memories in one row: "11 pass, 1 fail". */
function together(rows: ReadonlyMap<string, string>): Map<string, string> {
  const isMemory = (about: string) => about === ALL_MEMORIES || about.startsWith(MEMORY);
  const counts = new Map<string, number>();
  for (const [about, word] of rows) if (isMemory(about)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].map(([word, count]) => (rows.has(ALL_MEMORIES) ? word : `${count} ${word}`));
  return new Map([...[...rows].filter(([about]) => !isMemory(about)), [ALL_MEMORIES, words.join(", ")]]);
}

const wordOf = (status: Named["status"]): string =>
  status === "pending" ? "not looked at" : STATUS_WORD[status].toLowerCase();
