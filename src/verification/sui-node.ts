// Asks a full node of Sui over gRPC-web. The SDK is large, so the page has it in a chunk of its own.
import { ObjectError } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { toBase64 } from "@mysten/sui/utils";
import { readUpTo } from "#core/encoding/read-up-to.ts";
import type { AnchorToJudge } from "#core/verify/next-fetches.ts";
import type { FetchedObject, PolicyHolder } from "#core/verify/observation.ts";
import { ownerOf } from "./sources.ts";

interface NodeRequest {
  readonly network: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** More than any reply that we ask for, also of a page of a gate's table. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads no further than a bound: a full node is believed in nothing. */
async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const bytes = await readUpTo(MOST_BYTES, response.body);
  if (bytes === undefined) throw new Error("The full node has sent too much.");
  return new Response(bytes, response);
}

export const suiClient = (network: string, baseUrl: string): SuiGrpcClient =>
  new SuiGrpcClient({ network, baseUrl, fetch: boundedFetch });

export async function fetchSuiObject(
  objectId: string,
  { network, url, signal }: NodeRequest,
): Promise<FetchedObject | "missing" | "unreachable"> {
  const { core } = suiClient(network, url);
  try {
    const include = { content: true, objectBcs: true, previousTransaction: true } as const;
    const { object } = await core.getObject({ objectId, include, signal });
    const { type, content, objectBcs: bcs, digest, previousTransaction } = object;
    const owner = ownerOf(object.owner.$kind);
    return { objectId: object.objectId, type, owner, content, bcs, digest, previousTransaction };
  } catch (error) {
    return error instanceof ObjectError && error.reason !== "unknown" ? "missing" : "unreachable";
  }
}

/** With effects, checkpoint and committee, in base64 (docs/proof-ledger.md). Rejects if the node has it not. */
export async function fetchSuiTransaction(digest: string, { network, url, signal }: NodeRequest): Promise<unknown> {
  const { ledgerService } = suiClient(network, url);
  const asked = (...paths: string[]) => ({ readMask: { paths } });
  const given = await ledgerService.getTransaction(
    { digest, ...asked("transaction.bcs", "signatures", "effects.bcs", "checkpoint") },
    { abort: signal },
  ).response;
  const { transaction, signatures = [], effects, checkpoint: number } = given.transaction ?? {};
  const checkpoint = number === undefined ? undefined : await checkpointOf(number).catch(() => undefined);
  const { epoch, signature, bitmap } = checkpoint?.signature ?? {};
  const members = epoch === undefined ? undefined : await committeeOf(epoch).catch(() => undefined);
  return {
    bcs: base64Of(transaction?.bcs?.value),
    signatures: signatures.map(({ bcs }) => base64Of(bcs?.value)),
    effects: base64Of(effects?.bcs?.value),
    checkpoint: checkpoint && {
      summary: base64Of(checkpoint.summary?.bcs?.value),
      contents: base64Of(checkpoint.contents?.bcs?.value),
      epoch: epoch?.toString(),
      signature: base64Of(signature),
      bitmap: base64Of(bitmap),
    },
    committee: members?.map(({ publicKey, weight }) => ({ publicKey: base64Of(publicKey), weight: Number(weight) })),
  };

  async function checkpointOf(sequenceNumber: bigint) {
    const request = { checkpointId: { oneofKind: "sequenceNumber" as const, sequenceNumber } };
    const paths = asked("summary.bcs", "signature", "contents.bcs");
    return (await ledgerService.getCheckpoint({ ...request, ...paths }, { abort: signal }).response).checkpoint;
  }

  async function committeeOf(epoch: bigint) {
    const { response } = ledgerService.getEpoch({ epoch, ...asked("committee") }, { abort: signal });
    return (await response).epoch?.committee?.members;
  }
}

const base64Of = (bytes: Uint8Array | undefined): string | undefined => bytes && toBase64(bytes);

/** A package has one `PolicyCap`. Whoever signed the anchor holds it, or another does. Rejects if the node fails. */
export async function fetchPolicyHolder(
  { txDigest, packageId }: AnchorToJudge,
  { network, url, signal }: NodeRequest,
): Promise<PolicyHolder> {
  const { core } = suiClient(network, url);
  const result = await core.getTransaction({ digest: txDigest, include: { transaction: true }, signal });
  const owner = (result.Transaction ?? result.FailedTransaction).transaction.sender;
  if (owner == null) throw new Error("a transaction without a sender");
  const { objects } = await core.listOwnedObjects({ owner, type: `${packageId}::gate::PolicyCap`, signal });
  return objects.length > 0 ? "signer" : "another";
}
