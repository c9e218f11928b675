import type { Invocation, Run } from "#cli/invocation.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { EXIT } from "#cli/table/exit-codes.ts";
import { type Cell, table } from "#cli/terminal/table.ts";
import type { Reply } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";

const COLUMNS = [
  { title: "RESULT", isWhole: true },
  { title: "CHECK", isWhole: true },
  { title: "WHAT IT SAYS" },
] as const;
const EXIT_CODES = { verified: EXIT.done, failed: EXIT.unverified, unknown: EXIT.failed } as const;
const SENTENCES = {
  verified: "Verified: every check passed.",
  failed: "Not verified: a check failed.",
  unknown: "Not verified: some checks could not be made. Try again later.",
} as const;

const SEALED = "Not verified as a whole: the receipt is sealed. Its opening shows the rest; see docs/proof.md.";

type Verification = Reply<"verify">;

export const run: Run<"verify"> = async (invocation) => {
  const [given = ""] = invocation.positionals;
  const { values, json } = invocation;
  const service = await openClient(invocation);
  const receiptId = given.startsWith("0x") ? given : await lastAnchorOf(service, given);
  const verification = await service.client.verify({ receiptId }, values.deep ? { deep: "1" } : {}, service.call());
  await (values.json ? json(verification) : show(invocation, verification));
  return EXIT_CODES[verification.verdict];
};

async function show({ out, print }: Invocation<"verify">, { checks, verdict, sealed }: Verification): Promise<void> {
  const rows = checks.map(({ name, index, status, sentence }): Cell[] => [
    { text: status, tone: status === "pass" ? "good" : status === "fail" ? "bad" : "quiet" },
    index === undefined ? name : `${name} ${index}`,
    sentence,
  ]);
  await table(out, COLUMNS).add(rows);
  // In full: the table may have cut them.
  for (const { name, sentence, compared } of checks.filter(({ status }) => status === "fail")) {
    const values = compared === undefined ? "" : ` Expected ${compared.expected}, and found ${compared.actual}.`;
    await print(`${name}: ${sentence}${values}`);
  }
  await print(verdict === "unknown" && sealed !== undefined ? SEALED : SENTENCES[verdict]);
}

async function lastAnchorOf({ client, call }: OpenedClient, answerId: string): Promise<string> {
  const { chain } = await client.getReceipt({ answerId }, call());
  const last = chain.at(-1);
  if (last !== undefined) return last.receiptId;
  const advice = `It is not on the ledger. portcullis anchor ${answerId} puts it there.`;
  throw new PortcullisError("not-found", advice);
}
