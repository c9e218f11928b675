import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { HourOfAnswers, IssuedReceipt, RecordRows } from "#ports.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";
import type { FsckContext } from "./context.ts";

/** Checks that each receipt's body is canonical JSON, and that the search columns and hourly counts follow from it. */
export async function checkReceipts(context: FsckContext): Promise<void> {
  const hours = new Map<string, HourOfAnswers>();
  for await (const row of context.rows("receipt")) {
    const derived = checkReceipt(context, row);
    if (derived !== undefined) addToHour(hours, derived);
    if (row.body !== null) context.step();
  }
  await checkHours(context, hours);
}

/** Returns what the row should hold, derived from its body; undefined when the body cannot be read. */
function checkReceipt({ report }: FsckContext, row: RecordRows["receipt"]): IssuedReceipt | undefined {
  const { answerId, body } = row;
  const differs = (detail: string) => report("receipt", answerId, detail);
  if (body === null) return void differs("it can be found, but is not on record");
  const reading = readCanonical(Buffer.from(body), Number.POSITIVE_INFINITY);
  if ("fault" in reading) return void differs(`its body ${reading.fault}`);
  const derived = deriveFrom(reading.value);
  if (derived === undefined) return void differs("its body is not a receipt");
  if (derived.answerId !== answerId) differs("its body has another answer id");
  if (derived.agentId !== row.agentId) differs("its body has another agent");
  if (derived.createdAt !== row.createdAt) differs("its body has another time");
  checkSearchColumns(differs, row, derived);
  return derived;
}

function checkSearchColumns(
  differs: (detail: string) => void,
  { foundAgentId, isVerified, namespaces }: RecordRows["receipt"],
  derived: IssuedReceipt,
): void {
  if (foundAgentId === null) return void differs("it is on record, but cannot be found");
  if (foundAgentId !== derived.agentId) differs("it is found under another agent");
  if (!isListOf(namespaces, derived.namespaces)) differs("it is found under other namespaces than it names");
  const wasVerified = derived.verified === derived.used && derived.intact === derived.used;
  if (isVerified !== Number(wasVerified))
    differs(`it is found as ${isVerified === 1 ? "verified" : "not verified"}, but its body says otherwise`);
}

/** Whether the JSON is an array of these names, in any order. */
function isListOf(json: string | null, names: readonly string[]): boolean {
  const sorted = orUndefined(() => (JSON.parse(json ?? "") as string[]).toSorted());
  return JSON.stringify(sorted) === JSON.stringify(names.toSorted());
}

function deriveFrom(value: unknown): IssuedReceipt | undefined {
  const derived = orUndefined(() => issuedReceiptOf(value as AnswerReceipt));
  const texts = [derived?.answerId, derived?.agentId, derived?.createdAt];
  return texts.every((text) => typeof text === "string") ? derived : undefined;
}

function addToHour(hours: Map<string, HourOfAnswers>, { createdAt, used, verified, intact }: IssuedReceipt): void {
  const hour = createdAt.slice(0, 13);
  const sum = hours.get(hour) ?? { hour, answers: 0, used: 0, verified: 0, intact: 0 };
  hours.set(hour, {
    hour,
    answers: sum.answers + 1,
    used: sum.used + used,
    verified: sum.verified + verified,
    intact: sum.intact + intact,
  });
}

async function checkHours({ rows, report }: FsckContext, derived: Map<string, HourOfAnswers>): Promise<void> {
  for await (const counted of rows("hour")) {
    const { hour } = counted;
    for (const key of ["answers", "used", "verified", "intact"] as const) {
      const actual = derived.get(hour)?.[key] ?? 0;
      if (counted[key] !== actual)
        report("receipt", "", `the hour ${hour} counts ${counted[key]} as ${key}, but its receipts have ${actual}`);
    }
    derived.delete(hour);
  }
  for (const { hour, answers } of derived.values())
    report("receipt", "", `the hour ${hour} is not counted, but has ${answers} receipts`);
}
