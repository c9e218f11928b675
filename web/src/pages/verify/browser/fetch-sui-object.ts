// The object from a full node of Sui, over gRPC-web. In a chunk of its own.
import { ObjectError } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { type Found, foundObject } from "./fetched-object.ts";

interface Where {
  readonly objectId: string;
  readonly network: string;
  readonly node: string;
  readonly signal: AbortSignal;
}

export async function findOnSui({ objectId, network, node, signal }: Where): Promise<Found> {
  const { core } = new SuiGrpcClient({ network, baseUrl: node });
  try {
    const include = { content: true, previousTransaction: true } as const;
    const { object } = await core.getObject({ objectId, include, signal });
    const { type, content, previousTransaction } = object;
    const isFrozen = object.owner.$kind === "Immutable";
    return foundObject({ objectId: object.objectId, type, isFrozen, content, previousTransaction });
  } catch (error) {
    return error instanceof ObjectError && error.reason !== "unknown" ? "missing" : "unreachable";
  }
}
