import { readFile, stat } from "node:fs/promises";
import { type Invocation, optionFile, type Runs, UsageError } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { askingFrom, lastAnchorOf } from "#cli/shared/verification-sources.ts";
import { EXIT } from "#cli/table/command.ts";
import { type Cell, table, whole } from "#cli/terminal/table.ts";
import { orUndefined } from "#core/defined.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { parseWitnessPolicy, type WitnessPolicy } from "#core/log/witness-policy.ts";
import { openingText, readOpening } from "#core/receipt/opening.ts";
import { headlineOf, type LedgerSource, summaryOf } from "#core/verify/labels.ts";
import type { Observation } from "#core/verify/observation.ts";
import { type VerificationResult, verifyReceipt } from "#core/verify/verify-receipt.ts";
import { type Bundle, LARGEST_BUNDLE, readBundle, verifyBundle } from "#verification/bundle.ts";
import { observeReceipt, withDerivedIds } from "#verification/observe.ts";
import { ledgerSourceOf, type Sources } from "#verification/sources.ts";

export const runs: Runs<"verify"> = {
  // Verifies a receipt on this machine, with the code of the verifier's page. The service is asked for what it alone knows:
  // its package, its tombstones, and its ledger and its blobs if nobody else keeps them. Its verdict is not asked for.
  async verify(invocation) {
    const [given = ""] = invocation.positionals;
    const { values, signal } = invocation;
    const { packageId, keyIds } = values;
    const trusted = packageId === undefined && keyIds === undefined ? undefined : { packageId, keyIds };
    const file = given.startsWith("0x") ? undefined : await bundleIn(given);
    if (file !== undefined) {
      if (values.deep || values.opening !== undefined)
        throw new UsageError("A file is verified as it is. Leave --deep and --opening out.");
      const { network, receiptId = null } = file;
      const judging = { policy: await policyIn(values.witnesses), seen: await checkpointIn(values.checkpoint) };
      const ledger = receiptId === null ? "none" : "bundle";
      return show(invocation, await verifyBundle(file, { trusted, ...judging }), { receiptId, network, ledger });
    }
    if (values.witnesses !== undefined || values.checkpoint !== undefined)
      throw new UsageError("Only a file of portcullis proof has a proof of the log, for --witnesses and --checkpoint.");
    const opening = values.opening === undefined ? undefined : await openingIn(values.opening);
    const service = await openClient(invocation);
    const named = given.startsWith("0x") ? given : await lastAnchorOf(service.client, given);
    const receiptId = fullAddress(named);
    if (receiptId === undefined) throw new UsageError("A receipt id is 0x and up to 64 hexadecimal digits.");

    const { sources, fetchers } = await askingFrom(service, values.fullNode, signal);
    const observed = await observeReceipt(receiptId, fetchers, { opening, ...(trusted && { trusted }) });
    const observation = values.deep ? await deeply(observed, sources, signal) : observed;
    const result = verifyReceipt(observation);
    const ledger = ledgerSourceOf(sources);
    return show(invocation, result, { receiptId, network: sources.network, ledger });
  },
};

const COLUMNS = [whole("RESULT"), whole("CHECK"), "WHAT IT SAYS"];
const EXIT_CODES = { verified: EXIT.done, failed: EXIT.unverified, unknown: EXIT.failed } as const;

type Shown = { readonly receiptId: string | null; readonly network: string; readonly ledger: LedgerSource };

async function show(
  { out, print, json, values }: Invocation<"verify">,
  { checks, verdict, receipt, chain, ...rest }: VerificationResult,
  { ledger, ...about }: Shown,
): Promise<number> {
  if (values.json) {
    await json({ ...about, verdict, checks, receipt: receipt ?? null, chain: chain ?? null, ...rest });
    return EXIT_CODES[verdict];
  }
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
  await print(
    `${headlineOf(verdict, checks, rest.sealed, about.network === "local" ? "local" : ledger)}. ${summaryOf({ verdict, checks, ledger })}`,
  );
  return EXIT_CODES[verdict];
}

async function bundleIn(path: string): Promise<Bundle | undefined> {
  const { size } = await stat(path).catch(() => ({ size: undefined }));
  // What could not be an id was meant as a file.
  if (size === undefined && /[^\w-]/.test(path)) throw new UsageError(`There is no file ${path}.`);
  if (size === undefined) return undefined;
  const text = size > LARGEST_BUNDLE ? "" : await readFile(path, "utf8");
  const reading = readBundle(orUndefined(() => JSON.parse(text)));
  if ("bundle" in reading) return reading.bundle;
  throw new UsageError(`The file is not one that portcullis proof wrote: ${reading.fault}.`);
}

async function deeply(observation: Observation, { aggregator }: Sources, signal: AbortSignal): Promise<Observation> {
  const { deriverOf } = await import("#compose/peers.ts");
  return withDerivedIds(observation, deriverOf(aggregator === "" ? "memory" : "walrus"), signal);
}

async function policyIn(path: string | undefined): Promise<WitnessPolicy | undefined> {
  const text = path && (await optionFile("--witnesses", path));
  try {
    return text === undefined ? undefined : parseWitnessPolicy(text);
  } catch (error) {
    throw new UsageError(`The file of --witnesses is no policy. ${(error as Error).message}`);
  }
}

async function checkpointIn(path: string | undefined): Promise<SignedCheckpoint | undefined> {
  const seen = path && parseCheckpoint(await optionFile("--checkpoint", path));
  if (path !== undefined && !seen) throw new UsageError("The file of --checkpoint is no checkpoint of a log.");
  return seen || undefined;
}

async function openingIn(path: string): Promise<string> {
  const text = await optionFile("--opening", path);
  const document = readOpening(text);
  if (document === undefined) throw new UsageError("The file of --opening holds no opening, and no seed.");
  return openingText(document);
}
