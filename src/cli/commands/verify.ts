import { readFile } from "node:fs/promises";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { EXIT } from "#cli/table/command.ts";
import { type Cell, table, whole } from "#cli/terminal/table.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { openingText, readOpening } from "#core/receipt/opening.ts";
import { headlineOf, type LedgerSource, summaryOf } from "#core/verify/labels.ts";
import type { Observation } from "#core/verify/observation.ts";
import { type VerificationResult, verifyReceipt } from "#core/verify/verify-receipt.ts";
import { fetchBlob } from "#verification/fetch-blob.ts";
import { networkFetchers } from "#verification/network-fetchers.ts";
import { observeReceipt, withDerivedIds } from "#verification/observe.ts";
import { ledgerSourceOf, type Sources, sourcesOf } from "#verification/sources.ts";

export const runs: Runs<"verify"> = {
  // Verifies a receipt on this machine, with the code of the verifier's page. The service is asked for what it alone knows:
  // its package, its tombstones, and its ledger and its blobs if nobody else keeps them. Its verdict is not asked for.
  async verify(invocation) {
    const [given = ""] = invocation.positionals;
    const { values, json, signal } = invocation;
    const opening = values.opening === undefined ? undefined : await openingIn(values.opening);
    const node = nodeOf(values["full-node"]);
    const service = await openClient(invocation);
    const receiptId = fullAddress(given.startsWith("0x") ? given : await lastAnchorOf(service, given));
    if (receiptId === undefined) throw new UsageError("A receipt id is 0x and up to 64 hexadecimal digits.");

    const about = await service.client.getService(service.call());
    const sources = sourcesOf(about, node);
    const baseUrl = sources.aggregator || service.url;
    const blob = (blobId: string) => fetchBlob(blobId, { baseUrl, signal });
    const observed = await observeReceipt(
      receiptId,
      networkFetchers({ client: service.client, sources, blob, signal }),
      {
        opening,
      },
    );
    const observation = values.deep ? await deeply(observed, sources, signal) : observed;

    const result = verifyReceipt(observation);
    const { verdict, checks, receipt = null, chain = null, ...rest } = result;
    const { network } = sources;
    await (values.json
      ? json({ receiptId, network, verdict, checks, receipt, chain, ...rest })
      : show(invocation, result, ledgerSourceOf(sources)));
    return EXIT_CODES[verdict];
  },
};

const COLUMNS = [whole("RESULT"), whole("CHECK"), "WHAT IT SAYS"];
const EXIT_CODES = { verified: EXIT.done, failed: EXIT.unverified, unknown: EXIT.failed } as const;

async function show(
  { out, print }: Invocation<"verify">,
  { checks, verdict, sealed }: VerificationResult,
  ledger: LedgerSource,
): Promise<void> {
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
  await print(`${headlineOf(verdict, checks, sealed)}. ${summaryOf({ verdict, checks, ledger })}`);
}

async function deeply(observation: Observation, { aggregator }: Sources, signal: AbortSignal): Promise<Observation> {
  const { deriverOf } = await import("#compose/peers.ts");
  return withDerivedIds(observation, deriverOf(aggregator === "" ? "memory" : "walrus"), signal);
}

async function openingIn(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw configurationError("The file of --opening cannot be read.", cause);
  });
  const document = readOpening(text);
  if (document === undefined) throw new UsageError("The file of --opening holds no opening, and no seed.");
  return openingText(document);
}

function nodeOf(given: string | undefined): string | undefined {
  if (given === undefined || /^https?:$/.test(URL.parse(given)?.protocol ?? "")) return given;
  throw new UsageError("The URL of a full node begins with http:// or https://.");
}

async function lastAnchorOf({ client, call }: OpenedClient, answerId: string): Promise<string> {
  const { chain } = await client.getReceipt({ answerId }, call());
  const last = chain.at(-1);
  if (last !== undefined) return last.receiptId;
  const advice = `It is not on the ledger. portcullis anchor ${answerId} puts it there.`;
  throw new PortcullisError("not-found", advice);
}
