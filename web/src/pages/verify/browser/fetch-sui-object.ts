// Fetches an object from a full node of Sui over gRPC-web. It is in a chunk of its own.
import { ObjectError } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import type { FetchedObject } from "#core/verify/observation.ts";
import { ownerOf } from "./owner.ts";

interface SuiObjectRequest {
  readonly objectId: string;
  readonly network: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

export async function fetchSuiObject({
  objectId,
  network,
  url,
  signal,
}: SuiObjectRequest): Promise<FetchedObject | "missing" | "unreachable"> {
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
