// Fetches an object from a full node of Sui over gRPC-web. It is in a chunk of its own.
import { ObjectError } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { decodeObject, type ObjectResult } from "./fetched-object.ts";

interface SuiObjectRequest {
  readonly objectId: string;
  readonly network: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

export async function fetchSuiObject({ objectId, network, url, signal }: SuiObjectRequest): Promise<ObjectResult> {
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  try {
    const include = { content: true, previousTransaction: true } as const;
    const { object } = await core.getObject({ objectId, include, signal });
    const { type, content, previousTransaction } = object;
    const isFrozen = object.owner.$kind === "Immutable";
    return decodeObject({ objectId: object.objectId, type, isFrozen, content, previousTransaction });
  } catch (error) {
    return error instanceof ObjectError && error.reason !== "unknown" ? "missing" : "unreachable";
  }
}
