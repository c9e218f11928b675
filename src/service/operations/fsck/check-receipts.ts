import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { HourOfAnswers, IssuedReceipt, RecordRows } from "#ports.ts";
import { onRecord } from "#service/receipts/receipts.ts";
import type { Look } from "./fsck.ts";

const utf8 = new TextEncoder();

/** Every receipt's body is canonical JSON, and all that receipts are found and counted by follows from it. */
export async function checkReceipts(look: Look): Promise<void> {
  const hours = new Map<string, HourOfAnswers>();
  for await (const row of look.rows("receipt")) {
    const derived = checkReceipt(look, row);
    if (derived !== undefined) count(hours, derived);
    if (row.body !== null) look.step();
  }
  await checkHours(look, hours);
}

/** What it should be on record as; undefined when nobody can tell. */
function checkReceipt({ tell }: Look, row: RecordRows["receipt"]): IssuedReceipt | undefined {
  const { answerId, body } = row;
  if (body === null) return void tell("receipt", answerId, "it can be found, and is not on record");
  const reading = readCanonical(utf8.encode(body), Number.POSITIVE_INFINITY);
  if ("fault" in reading) return void tell("receipt", answerId, `its body ${reading.fault}`);
  const derived = derivedFrom(reading.value);
  if (derived === undefined) return void tell("receipt", answerId, "its body is not a receipt");
  if (derived.answerId !== answerId) tell("receipt", answerId, "its body has another answer id");
  if (derived.agentId !== row.agentId) tell("receipt", answerId, "its body has another agent");
  if (derived.createdAt !== row.createdAt) tell("receipt", answerId, "its body has another time");
  checkFinding(tell, row, derived);
  return derived;
}

function checkFinding(tell: Look["tell"], row: RecordRows["receipt"], derived: IssuedReceipt): void {
  const { answerId, foundAgentId, isVerified, namespaces } = row;
  if (foundAgentId === null) {
    tell("receipt", answerId, "it is on record, and cannot be found");
    return;
  }
  if (foundAgentId !== derived.agentId) tell("receipt", answerId, "it is found under another agent");
  if (!lists(namespaces, derived.namespaces))
    tell("receipt", answerId, "it is found under other namespaces than it names");
  const wasVerified = derived.verified === derived.used && derived.intact === derived.used;
  if (isVerified !== Number(wasVerified))
    tell("receipt", answerId, `it is found as ${isVerified === 1 ? "verified" : "not verified"}, and says otherwise`);
}

/** Whether the JSON is a list of these names, in whatever order. */
function lists(json: string | null, names: readonly string[]): boolean {
  try {
    const listed = JSON.parse(json ?? "") as string[];
    return JSON.stringify(listed.toSorted()) === JSON.stringify(names.toSorted());
  } catch {
    return false;
  }
}

/** What is thrown may quote the receipt, and goes nowhere. */
function derivedFrom(value: unknown): IssuedReceipt | undefined {
  try {
    const derived = onRecord(value as AnswerReceipt);
    const { answerId, agentId, createdAt } = derived;
    return [answerId, agentId, createdAt].every((text) => typeof text === "string") ? derived : undefined;
  } catch {
    return undefined;
  }
}

function count(hours: Map<string, HourOfAnswers>, { createdAt, used, verified, intact }: IssuedReceipt): void {
  const hour = createdAt.slice(0, 13);
  const so = hours.get(hour) ?? { hour, answers: 0, used: 0, verified: 0, intact: 0 };
  hours.set(hour, {
    hour,
    answers: so.answers + 1,
    used: so.used + used,
    verified: so.verified + verified,
    intact: so.intact + intact,
  });
}

async function checkHours({ rows, tell }: Look, derived: Map<string, HourOfAnswers>): Promise<void> {
  for await (const counted of rows("hour")) {
    const real = derived.get(counted.hour);
    for (const key of ["answers", "used", "verified", "intact"] as const) {
      if (counted[key] !== (real?.[key] ?? 0))
        tell(
          "receipt",
          "",
          `the hour ${counted.hour} counts ${counted[key]} as ${key}, and its receipts ${real?.[key] ?? 0}`,
        );
    }
    derived.delete(counted.hour);
  }
  for (const { hour, answers } of derived.values())
    tell("receipt", "", `the hour ${hour} is not counted, and has ${answers}`);
}
