import type { Invocation } from "#cli/invocation.ts";
import { UsageError } from "#cli/usage-error.ts";
import type { IssuedKey } from "#service/identity/keys.ts";

/** The key goes to standard output alone, so that a script can take it. */
export async function showIssuedKey(
  { values, say, print, json }: Invocation<"keys create" | "keys rotate">,
  { key, record }: IssuedKey,
): Promise<void> {
  if (values.json) return json({ key, record });
  const { keyId, name, role, previousEndsAt } = record;
  await say(`${keyId} (${name}, ${role}). Keep the key: it is not shown again.`);
  if (previousEndsAt !== undefined) await say(`The old secret is good until ${previousEndsAt}.`);
  await print(key);
}

export function keyIdIn([keyId]: readonly string[]): string {
  if (keyId !== undefined && /^key_[0-9A-Za-z]{11}$/.test(keyId)) return keyId;
  throw new UsageError("Name the key by its id, such as key_…; portcullis keys list shows the ids.");
}
