import type { Client } from "#contract/client/client.ts";

/** Verifies again while the verdict is unknown: on a busy machine a check can miss the service's deadline. */
export async function verificationOf(client: Pick<Client, "verify">, receiptId: string) {
  for (;;) {
    const verification = await client.verify({ receiptId });
    if (verification.verdict !== "unknown") return verification;
  }
}
