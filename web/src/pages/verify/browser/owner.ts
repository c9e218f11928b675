import type { FetchedObject } from "#core/verify/observation.ts";

/** From the SDK's name of an owner's kind. */
export function ownerOf(kind: unknown): FetchedObject["owner"] {
  if (kind === "Immutable") return "immutable";
  return kind === "Shared" ? "shared" : "other";
}
