// Keys of callers, and sessions of the app.
import { z } from "zod";
import { keyName, namespace, tenantId } from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

/** The longest role names a hundred namespaces. */
const LONGEST_ROLE = 20_000;
const MOST_CAPTURES = 100;
const LONGEST_GRACE_SECONDS = 86_400;
const names = s.listed(s.name, MOST_CAPTURES);

const keyId = s
  .matching(/^key_[0-9A-Za-z]{11}$/, "is not the id of a key", 15)
  .describe("The key's id. It is no secret.");

const toCreateKey = z.strictObject({
  name: keyName,
  role: z
    .string()
    .min(1)
    .max(LONGEST_ROLE)
    .meta({
      description:
        "`admin`, `admin:<namespace>,…`, `agent:<id>` or `auditor`; by an operator, `operator` or `agent:<id>`.",
      examples: ["agent:planner"],
    }),
  captures: z
    .array(namespace)
    .max(MOST_CAPTURES)
    .optional()
    .describe("The namespaces that an agent's key may capture into. None unless they are named."),
  expiresAt: s.instant.optional().describe("Left out: it does not expire."),
  tenants: z
    .literal("all")
    .optional()
    .describe("By an operator: the key of an agent that acts in every tenant, and has power over none."),
});

const toRotateKey = z.strictObject({
  graceSeconds: z
    .int()
    .min(0)
    .max(LONGEST_GRACE_SECONDS)
    .optional()
    .describe("How long the old secret stays valid. It ends at once when this is left out."),
});

const key = z.string().meta({
  maxLength: 200,
  description: "The key itself. It is shown this once.",
  examples: ["portcullis_<50 letters and digits>"],
});

const keyRecord = s.component("ApiKey", {
  keyId: s.id,
  name: s.name,
  role: z.string().meta({ maxLength: LONGEST_ROLE }),
  captures: names,
  createdAt: s.instant,
  createdBy: s.name.describe("The name of the caller."),
  expiresAt: s.instant.exactOptional(),
  revokedAt: s.instant.exactOptional(),
  lastUsedAt: s.instant.exactOptional().describe("To the minute."),
  previousEndsAt: s.instant.exactOptional().describe("Until when the secret before the last rotation is valid."),
});

export const issuedKey = z.object({ key, record: keyRecord });

const toSignIn = z.strictObject({ key: z.string().min(1).max(200).describe("A key of this service.") });

const session = s.component("Session", {
  signedIn: z.boolean(),
  identities: z.boolean().describe("Whether callers have to say who they are. If not, everybody is the admin."),
  name: s.name,
  role: z.enum(["operator", "admin", "namespace-admin", "agent", "auditor", "public"]),
  tenant: tenantId.exactOptional().describe("Where you act. Left out for an operator, and for who is not signed in."),
  agentId: s.name.exactOptional().describe("Of an agent."),
  captures: names
    .exactOptional()
    .describe("The namespaces that an agent may capture into. Left out when an admin acts as the agent: any."),
  namespaces: names.exactOptional().describe("The namespaces that a namespace's admin administers."),
});

export const identityRows = {
  listKeys: {
    summary: "The keys of callers, newest first, revoked ones included. Never the keys themselves.",
    query: s.page,
    response: z.object({ keys: s.listed(keyRecord), nextCursor: s.nextCursor }),
  },
  createKey: {
    summary: "Make a key. It is shown this once; only its hash is kept.",
    body: toCreateKey,
    response: issuedKey,
  },
  rotateKey: {
    summary: "Give a key another secret. The old one ends at once, or after the grace period.",
    params: z.object({ keyId }),
    body: toRotateKey,
    response: issuedKey,
    problems: ["not-found"],
  },
  revokeKey: {
    summary: "End a key, its sessions and its streams, on every replica.",
    params: z.object({ keyId }),
    response: z.object({ record: keyRecord }),
    problems: ["not-found"],
  },
  getSession: { summary: "Who you are.", response: session, streams: "reply" },
  signIn: {
    summary: "Begin a session of the app with a key. The cookie holds the session's id, and never the key.",
    body: toSignIn,
    response: session,
    streams: "reply",
  },
  signOut: { summary: "End the session of the cookie.", response: session, streams: "reply" },
} as const satisfies Rows;
