// Asks a full node of Sui over gRPC-web. The SDK is large, so the page has it in a chunk of its own.
import { ObjectError } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import type { AnchorToJudge } from "#core/verify/next-fetches.ts";
import type { FetchedObject, PolicyHolder } from "#core/verify/observation.ts";
import { ownerOf } from "./sources.ts";

interface NodeRequest {
  readonly network: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

export async function fetchSuiObject(
  objectId: string,
  { network, url, signal }: NodeRequest,
): Promise<FetchedObject | "missing" | "unreachable"> {
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
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

/** A package has one `PolicyCap`. Whoever signed the anchor holds it, or another does. Rejects if the node fails. */
export async function fetchPolicyHolder(
  { txDigest, packageId }: AnchorToJudge,
  { network, url, signal }: NodeRequest,
): Promise<PolicyHolder> {
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  const result = await core.getTransaction({ digest: txDigest, include: { transaction: true }, signal });
  const owner = (result.Transaction ?? result.FailedTransaction).transaction.sender;
  if (owner == null) throw new Error("a transaction without a sender");
  const { objects } = await core.listOwnedObjects({ owner, type: `${packageId}::gate::PolicyCap`, signal });
  return objects.length > 0 ? "signer" : "another";
}
