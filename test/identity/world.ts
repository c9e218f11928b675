// A service with identities, and somebody of every kind. Each namespace has a memory with a canary of its own, so that a
// test can tell whose text an answer holds. A second tenant has the same names.
import { OPEN } from "#core/identity/principal.ts";
import { createKey, revokeKey } from "#service/identity/keys.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { addSecondTenant, type SecondTenant } from "#test/support/second-tenant.ts";
import { post } from "#test/support/send.ts";
import { type Service, type ServiceOptions, startService } from "#test/support/start-service.ts";

/** Who may read the text of which namespace. */
const READERS = {
  /** Open to the agent alone. */
  diet: ["admin", "agent"],
  /** Open to the other agent alone. */
  finance: ["admin", "otherAgent"],
  /** Its admin reads it, and may open it to anybody. */
  garden: ["admin", "namespaceAdmin"],
} as const;

export type Namespace = keyof typeof READERS;
export const NAMESPACES = Object.keys(READERS) as Namespace[];

export const KEY_HOLDERS = ["admin", "agent", "otherAgent", "namespaceAdmin", "auditor"] as const;
export type KeyHolder = (typeof KEY_HOLDERS)[number];

export const canaryOf = (namespace: Namespace): string => `canary${namespace}xyzzy`;

export const mayRead = (holder: KeyHolder | "operator" | "nobody", namespace: Namespace): boolean =>
  (READERS[namespace] as readonly string[]).includes(holder);

const ROLES = {
  admin: { role: "admin" },
  agent: { role: "agent:assistant", captures: ["diet"] },
  otherAgent: { role: "agent:planner" },
  namespaceAdmin: { role: "admin:garden" },
  auditor: { role: "auditor" },
} as const satisfies Record<KeyHolder, object>;

export interface World {
  readonly service: Service;
  readonly keys: Readonly<Record<KeyHolder | "revoked" | "expired", string>>;
  /** The key of an operator. */
  readonly operator: string;
  readonly memoryIds: Readonly<Record<Namespace, string>>;
  readonly blobIds: Readonly<Record<Namespace, string>>;
  /** Of an answer to each agent. */
  readonly answerIds: Readonly<Record<"agent" | "otherAgent", string>>;
  readonly second: SecondTenant;
}

/** The world asks more, and guesses more, than a caller may in a minute. */
const WITHOUT_LIMITS = Object.fromEntries(
  ["ANSWERS", "WRITES", "READS", "VERIFICATIONS", "SIGN_INS"].map((name) => [`LIMIT_${name}_PER_MINUTE`, "0"]),
);

export async function createWorld(options: ServiceOptions = {}): Promise<World> {
  const environment = { AUTH: "keys", SEED: "none", ...WITHOUT_LIMITS, ...options.environment };
  const service = await startService({ ...options, environment });
  const { tenant, url } = service;
  const captured = await Promise.all(
    NAMESPACES.map(async (namespace) => {
      const content = `The secret of ${namespace} is ${canaryOf(namespace)}.`;
      return [namespace, await capture(tenant, { namespace, content, sourceAgent: "seed" })] as const;
    }),
  );
  for (const [agentId, namespace, allowed] of [
    ["assistant", "diet", true],
    ["assistant", "finance", true],
    ["assistant", "finance", false],
    ["planner", "finance", true],
  ] as const)
    await setAccess(tenant, { agentId, namespace, allowed }, { principal: OPEN });

  const newKey = async (name: string, role: object, expiresAt?: string) =>
    createKey(tenant, { name, role: "admin", ...role, ...(expiresAt !== undefined && { expiresAt }) }, "test");
  const made = await Promise.all(
    KEY_HOLDERS.map(async (holder) => [holder, (await newKey(holder, ROLES[holder])).key] as const),
  );
  const revoked = await newKey("revoked", {});
  await revokeKey(tenant, revoked.record.keyId);
  const keys = {
    ...(Object.fromEntries(made) as Record<KeyHolder, string>),
    revoked: revoked.key,
    expired: await expiredKey(service),
  };
  const answerOf = async (holder: "agent" | "otherAgent") => {
    const body = { query: "What is the secret?" };
    const answer = await post(`${url}/api/chat`, body, { authorization: `Bearer ${keys[holder]}` });
    return JSON.parse(answer.text).receipt.answerId as string;
  };
  const operator = await tenant.tenantAdministration.createDeploymentKey(
    { name: "operator", role: "operator" },
    "test",
  );
  return {
    service,
    keys,
    operator: operator.key,
    memoryIds: byNamespace(captured, ({ memoryId }) => memoryId),
    blobIds: byNamespace(captured, ({ storeRef }) => storeRef),
    answerIds: { agent: await answerOf("agent"), otherAgent: await answerOf("otherAgent") },
    second: await addSecondTenant(service, { agents: ["assistant", "planner"], namespaces: NAMESPACES }),
  };
}

/** A key whose time is over: it was made by a clock that is an hour behind. */
async function expiredKey({ tenant }: Service): Promise<string> {
  const anHourAgo = () => new Date(tenant.now().getTime() - 3_600_000);
  const expiresAt = new Date(tenant.now().getTime() - 60_000).toISOString();
  const { key } = await createKey({ ...tenant, now: anHourAgo }, { name: "expired", role: "admin", expiresAt }, "test");
  return key;
}

function byNamespace<T>(captured: readonly (readonly [Namespace, T])[], get: (memory: T) => string) {
  return Object.fromEntries(captured.map(([namespace, memory]) => [namespace, get(memory)])) as Record<
    Namespace,
    string
  >;
}
