// How long a memory is kept, and under which name.
import { invalidFields } from "#core/errors.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";

/** What a caller may say of a fact beside its text. At most one of `expiresAt` and `ttl`. */
export interface Lifetime {
  readonly key?: string | undefined;
  readonly supersedes?: string | undefined;
  readonly expiresAt?: string | undefined;
  /** In seconds. */
  readonly ttl?: number | undefined;
}

/** The fields of the memory. Without a time of its own it is kept as long as its namespace says. */
export async function lifeOf(
  { records, now }: Pick<Deps, "records" | "now">,
  { key, supersedes, expiresAt, ttl, namespace }: Lifetime & Pick<Memory, "namespace">,
): Promise<Pick<Memory, "key" | "supersedes" | "expiresAt">> {
  const nowMs = now().getTime();
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs)
    throw invalidFields({ pointer: "#/expiresAt", detail: "must be in the future" });
  const retention =
    expiresAt === undefined && ttl === undefined ? (await records.namespaces.find(namespace))?.retentionSeconds : ttl;
  const end = expiresAt ?? (retention === undefined ? undefined : nowMs + retention * 1_000);
  return {
    ...(key !== undefined && { key }),
    ...(supersedes !== undefined && { supersedes }),
    ...(end !== undefined && { expiresAt: new Date(end).toISOString() }),
  };
}
