// How agents and namespaces are called on a ledger.
import { nameSalt, pseudonymOf } from "./pseudonym.ts";

export interface Naming {
  onLedger(name: string): string;
  /** Opens the pseudonym of a name. Absent where names are plain. */
  saltOf?(name: string): Uint8Array;
}

export const PLAIN_NAMES: Naming = { onLedger: (name) => name };

/** `secret` is the deployment's, 32 bytes. */
export function pseudonyms(secret: Uint8Array): Naming {
  const saltOf = (name: string) => nameSalt(secret, name);
  return { onLedger: (name) => pseudonymOf(saltOf(name), name), saltOf };
}
