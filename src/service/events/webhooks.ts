// Webhooks: events are sent to a URL, signed as Standard Webhooks says, in their order and at least once. A message has the
// same id when it is sent again. What is sent is what the webhook's owner may see at that time.
import { randomBytes } from "node:crypto";
import { jitteredBackoffMs } from "#core/backoff.ts";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { type Principal, parseRole, roleText } from "#core/identity/principal.ts";
import { type EventKind, visibleTo } from "#core/identity/visible-events.ts";
import type { RecordedEvent, Webhook, WebhookDelivery, WebhookOwner } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";
import { signatureOf } from "./webhook-secrets.ts";

const ID_BYTES = 12;
const MOST_WEBHOOKS = 20;
const EVENTS_AT_ONCE = 100;
/** How long one delivery may wait for its reply. */
const SEND_MS = 10_000;
/** How long a turn of one webhook takes at most, and for how long nobody else takes it. */
const TURN_MS = 30_000;
const TAKEN_MS = 60_000;
const PAUSES = { firstMs: 5_000, longestMs: 3_600_000 };

type Parts = Pick<Tenant, "id" | "records" | "webhookSecrets" | "webhookSender" | "now">;

export async function createWebhook(
  { id, records, webhookSecrets, webhookSender, now }: Parts,
  { url, kinds = [] }: { readonly url: string; readonly kinds?: readonly EventKind[] | undefined },
  principal: Principal,
) {
  const fault = webhookSender.faultOf(url);
  if (fault !== undefined) throw invalidFields({ pointer: "#/url", detail: fault });
  const webhookId = `hook_${randomBytes(ID_BYTES).toString("hex")}`;
  const at = now().toISOString();
  const { head: position } = await records.events.position();
  const owner = ownerOf(principal);
  const webhook = { webhookId, url, kinds, owner, createdAt: at, position, failures: 0, nextAt: at };
  if (!(await records.webhooks.add(webhook, MOST_WEBHOOKS)))
    throw new PortcullisError("limit-reached", `There are ${MOST_WEBHOOKS} webhooks, and no more are allowed.`);
  const secret = await webhookSecrets.secretOf(id, webhookId);
  return { webhook, secret: `whsec_${secret.toString("base64")}` };
}

function ownerOf(principal: Principal): WebhookOwner {
  const { credential } = principal;
  const keyId = credential === undefined || credential.kind === "token" ? undefined : credential.keyId;
  return { id: principal.id, name: principal.name, role: roleText(principal), ...(keyId !== undefined && { keyId }) };
}

/** An admin sees all, and the admin of namespaces its own. */
export async function listWebhooks({ records }: Pick<Parts, "records">, principal: Principal) {
  const all = await records.webhooks.list();
  return principal.role === "admin" ? all : all.filter(({ owner }) => owner.id === principal.id);
}

export async function requireWebhook(tenant: Pick<Parts, "records">, principal: Principal, webhookId: string) {
  const all = await listWebhooks(tenant, principal);
  if (all.some((webhook) => webhook.webhookId === webhookId)) return;
  throw new PortcullisError("not-found", "There is no such webhook.");
}

export async function deliverWebhooks(tenant: Parts, signal: AbortSignal): Promise<void> {
  const now = tenant.now();
  const until = new Date(now.getTime() + TAKEN_MS).toISOString();
  const taken = await tenant.records.webhooks.take(now.toISOString(), until);
  await Promise.all(taken.map((webhook) => deliverTo(tenant, webhook, signal)));
}

async function deliverTo(tenant: Parts, webhook: Webhook, signal: AbortSignal): Promise<void> {
  const { records, now } = tenant;
  const { webhookId } = webhook;
  const owner = await currentOwner(tenant, webhook.owner);
  if (owner === undefined) return records.webhooks.end(webhookId, now().toISOString());
  const ends = performance.now() + TURN_MS;
  let { position, failures } = webhook;
  const saved = (delivery?: Omit<WebhookDelivery, "number">, pauseMs = 0) => {
    const nextAt = new Date(now().getTime() + pauseMs).toISOString();
    return records.webhooks.progress({ webhookId, position, failures, nextAt }, delivery);
  };

  while (performance.now() < ends && !signal.aborted) {
    const { floor } = await records.events.position();
    const isMissed = position < floor;
    const events = isMissed ? [] : await records.events.after({ after: position, limit: EVENTS_AT_ONCE });
    const messages = isMissed ? [missedAt(floor, now())] : messagesFor(owner, webhook, events);
    if (messages.length === 0 && events.length === 0) break;
    for (const message of messages) {
      const delivery = await sent(tenant, webhook, message, failures + 1, signal);
      if (signal.aborted) return;
      if (delivery.error !== undefined) {
        const pauseMs = jitteredBackoffMs(failures, PAUSES);
        failures += 1;
        return saved(delivery, pauseMs);
      }
      failures = 0;
      position = message.sequence;
      await saved(delivery, TAKEN_MS);
    }
    position = events.at(-1)?.sequence ?? position;
  }
  await saved();
}

interface Message {
  readonly sequence: number;
  readonly kind: EventKind | "reset";
  readonly at: string;
  readonly data: object;
}

/** Events are kept for a day. Who was away for longer must load anew. */
const missedAt = (floor: number, at: Date): Message => ({
  sequence: floor,
  kind: "reset",
  at: at.toISOString(),
  data: {},
});

function messagesFor(owner: Principal, { kinds }: Webhook, events: readonly RecordedEvent[]): Message[] {
  return events.flatMap((event): Message[] => {
    const seen = visibleTo(owner, event, () => false);
    if (seen === undefined || (kinds.length > 0 && !kinds.includes(seen.kind))) return [];
    return [{ sequence: event.sequence, kind: seen.kind, at: event.at, data: seen.data }];
  });
}

/** Undefined when the owner's key is gone, or is not that of an admin any more. */
async function currentOwner({ records, now }: Parts, owner: WebhookOwner): Promise<Principal | undefined> {
  const { id, name, keyId } = owner;
  const key = keyId === undefined ? undefined : await records.keys.find(keyId);
  const hasEnded = key?.revokedAt !== undefined || (key?.expiresAt ?? "~") <= now().toISOString();
  if (keyId !== undefined && (key === undefined || hasEnded)) return undefined;
  const role = parseRole(key?.role ?? owner.role);
  return role.role === "admin" || role.role === "namespace-admin" ? { ...role, id, name } : undefined;
}

async function sent(
  { id, webhookSecrets, webhookSender, now }: Parts,
  { webhookId, url }: Webhook,
  { sequence, kind, at: timestamp, data }: Message,
  attempt: number,
  signal: AbortSignal,
): Promise<Omit<WebhookDelivery, "number">> {
  const messageId = await webhookSecrets.messageIdOf(webhookId, sequence);
  const at = now();
  const body = JSON.stringify({ type: kind, timestamp, data });
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const secret = await webhookSecrets.secretOf(id, webhookId);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Portcullis",
    "webhook-id": messageId,
    "webhook-timestamp": seconds,
    "webhook-signature": signatureOf(secret, { id: messageId, timestamp: seconds, body }),
  };
  const delivery = { messageId, kind, at: at.toISOString(), attempt };
  const within = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]);
  try {
    const status = await webhookSender.send({ url, headers, body }, within);
    return { ...delivery, status, ...(!isAccepted(status) && { error: `The target answered with ${status}.` }) };
  } catch (error) {
    return { ...delivery, error: within.aborted ? "The target did not answer in time." : messageOf(error) };
  }
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;
const LONGEST_ERROR = 300;
const messageOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).slice(0, LONGEST_ERROR);
