// An auditor's script. It lists the receipts that were anchored on the ledger, fetches the raw objects and blobs, and
// checks each receipt on this machine with portcullis/core: it does not ask the service for its opinion.
//
//     PORTCULLIS_KEY=<auditor's key> node examples/auditor.ts   # Node 22.18 or newer
//     PORTCULLIS_PACKAGE=0x… pins the package that you decided to trust, in place of the one that the service names
//
// It reads objects from the service's local ledger. For a service on Sui, read them from a full node that you trust.
import { isProblem, type Reply } from "portcullis/client";
import {
  closingToFetch,
  type FetchedBlob,
  type FetchedObject,
  memoryBlobsToFetch,
  namedByObject,
  type Observation,
  verifyReceipt,
} from "portcullis/core";
import { connect, url } from "./setup.ts";

const auditor = connect();
const trusted = await auditor.getTrustRoot();
const packageId = process.env.PORTCULLIS_PACKAGE ?? trusted.packageId;

type Fetched<T> = T | "missing" | "unreachable";

async function fetchObject(objectId: string): Promise<Fetched<FetchedObject>> {
  try {
    const object = await auditor.ledgerObject({ objectId });
    const kind = (object.owner as { $kind?: string }).$kind;
    const owner = kind === "Immutable" ? "immutable" : kind === "Shared" ? "shared" : "other";
    return { ...object, owner, content: Buffer.from(object.content, "base64"), bcs: Buffer.from(object.bcs, "base64") };
  } catch (error) {
    return isProblem(error, "not-found") ? "missing" : "unreachable";
  }
}

async function fetchBlob(blobId: string): Promise<FetchedBlob> {
  const response = await fetch(`${url}/v1/blobs/${blobId}`).catch(() => undefined);
  if (response?.ok) return new Uint8Array(await response.arrayBuffer());
  return response?.status === 404 ? "missing" : "unreachable";
}

/** Everything that the check needs. What is fetched next follows from what was checked before. */
async function observe(receiptId: string): Promise<Observation> {
  const object = await fetchObject(receiptId);
  const start = {
    receiptId,
    packageId,
    object,
    gate: "unreachable",
    closing: "unreachable",
    blob: "unreachable",
    memories: new Map(),
    nowMs: Date.now(),
  } as const;
  const named = namedByObject(start);
  if (named === undefined) return start;
  const seen = { ...start, gate: await fetchObject(named.gate), blob: await fetchBlob(named.blobId) };
  const closingId = closingToFetch(seen);
  const closing = closingId === undefined ? "unreachable" : await fetchObject(closingId);
  const refs = memoryBlobsToFetch(seen);
  const memories = new Map(await Promise.all(refs.map(async (ref) => [ref, await fetchBlob(ref)] as const)));
  return { ...seen, closing, memories };
}

async function audit({ receipt, chain }: Reply<"listReceipts">["receipts"][number]): Promise<boolean> {
  const receiptId = chain.at(-1)?.receiptId;
  if (receiptId === undefined) return true;
  const { verdict, checks } = verifyReceipt(await observe(receiptId));
  const kind = "kind" in receipt.evidence ? receipt.evidence.kind : "answered";
  console.log(`${verdict}: ${kind} by ${receipt.agentId}, ${checks.length} checks`);
  for (const { status, name, sentence } of checks)
    if (status !== "pass") console.log(`  ${status} ${name}: ${sentence}`);
  return verdict === "verified";
}

if (process.env.PORTCULLIS_PACKAGE === undefined)
  console.log("The package is the one that the service names. Set PORTCULLIS_PACKAGE to pin one.");
let [anchored, doubtful] = [0, 0];
for await (const entry of auditor.listReceipts.all({ anchored: "yes" })) {
  if (entry.chain.length === 0) continue;
  anchored += 1;
  if (!(await audit(entry))) doubtful += 1;
}
console.log(`${anchored} anchored receipts, ${doubtful} in doubt`);
process.exitCode = doubtful > 0 ? 1 : 0;
