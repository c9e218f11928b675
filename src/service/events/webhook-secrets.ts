// What webhooks are signed with (Standard Webhooks).
import { createHmac } from "node:crypto";
import type { WriteOnceValues } from "#ports.ts";
import { sharedSecret } from "#service/ids.ts";

const KEY_BYTES = 32;
const MESSAGE_ID_BYTES = 16;

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** The secrets of webhooks follow from one key of the deployment, so that none is on record. */
export function createWebhookSecrets(values: WriteOnceValues) {
  const key = sharedSecret(values, "webhook-key", KEY_BYTES);
  const derive = async (text: string) =>
    createHmac("sha256", await key())
      .update(text)
      .digest();
  return {
    secretOf: (tenantId: string, webhookId: string) => derive(`secret\n${tenantId}\n${webhookId}`),
    /** It does not tell how many events there are. */
    messageIdOf: async (webhookId: string, sequence: number) =>
      `msg_${(await derive(`message\n${webhookId}\n${sequence}`)).subarray(0, MESSAGE_ID_BYTES).toString("base64url")}`,
  };
}

/** The timestamp is in seconds. */
type SignedMessage = Readonly<Record<"id" | "timestamp" | "body", string>>;

export const signatureOf = (secret: Uint8Array, { id, timestamp, body }: SignedMessage): string =>
  `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
