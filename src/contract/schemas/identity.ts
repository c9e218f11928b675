// Keys of callers, and sessions of the app.
import { z } from "zod";
import { component } from "./component.ts";
import { keyName, namespace } from "./resources.ts";
import { id, instant, name } from "./scalars.ts";

/** The longest role names a hundred namespaces. */
const LONGEST_ROLE = 20_000;
const MOST_CAPTURES = 100;
const LONGEST_GRACE_SECONDS = 86_400;
const names = z.array(name).meta({ maxItems: MOST_CAPTURES });

export const keyId = z
  .string()
  .regex(/^key_[0-9A-Za-z]{11}$/, "is not the id of a key")
  .meta({ maxLength: 15, description: "The key's id. It is no secret." });

export const toCreateKey = z.object({
  name: keyName,
  role: z
    .string()
    .min(1)
    .max(LONGEST_ROLE)
    .meta({ description: "`admin`, `admin:<namespace>,…`, `agent:<id>` or `auditor`.", examples: ["agent:planner"] }),
  captures: z
    .array(namespace)
    .max(MOST_CAPTURES)
    .optional()
    .describe("The namespaces that an agent's key may capture into. None unless they are named."),
  expiresAt: instant.optional().describe("Left out: it does not expire."),
});

export const toRotateKey = z.object({
  graceSeconds: z
    .int()
    .min(0)
    .max(LONGEST_GRACE_SECONDS)
    .optional()
    .describe("How long the old secret stays good. It ends at once when this is left out."),
});

const key = z.string().meta({
  maxLength: 200,
  description: "The key itself. It is shown this once.",
  examples: ["portcullis_<50 letters and digits>"],
});

export const keyRecord = component("ApiKey", {
  keyId: id,
  name,
  role: z.string().meta({ maxLength: LONGEST_ROLE }),
  captures: names,
  createdAt: instant,
  createdBy: name.describe("The name of the caller."),
  expiresAt: instant.exactOptional(),
  revokedAt: instant.exactOptional(),
  lastUsedAt: instant.exactOptional().describe("To the minute."),
  previousEndsAt: instant.exactOptional().describe("Until when the secret before the last rotation is good."),
});

export const issuedKey = z.object({ key, record: keyRecord });

export const toSignIn = z.object({ key: z.string().min(1).max(200).describe("A key of this service.") });

export const session = component("Session", {
  signedIn: z.boolean(),
  identities: z.boolean().describe("Whether callers have to say who they are. If not, everybody is the admin."),
  name,
  role: z.enum(["admin", "namespace-admin", "agent", "auditor", "public"]),
  agentId: name.exactOptional().describe("Of an agent."),
  captures: names
    .exactOptional()
    .describe("The namespaces that an agent may capture into. Left out when an admin acts as the agent: any."),
  namespaces: names.exactOptional().describe("The namespaces that a namespace's admin administers."),
});
