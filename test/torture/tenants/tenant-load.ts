// Load that makes tenants from a template through a balancer, by one operator's key, and then sends ten requests into
// each, by one backend's key. Every request must succeed.
import { type Client, createClient } from "#contract/client/client.ts";
import { type BalancedLoad, type LoadReport, reasonOf } from "#test/torture/proxies/balanced-load.ts";

const WORKERS = 8;
const REQUEST_TIMEOUT_MS = 60_000;
const TEMPLATE = "user";
export const AGENT = "support";
export const NAMESPACE = "health";
/** What one user has: as many leaves as users of the trial had before tenants. */
const LEAVES = 15;
export const QUESTION = { query: "What is the door code of the house?" };

export const userIdOf = (i: number): string => `u${String(i).padStart(5, "0")}`;
/** The text of this user, and of no other. */
export const markOf = (userId: string): string => `<${userId}>`;

export interface TenantLoad extends BalancedLoad {
  readonly backendKey: string;
  /** How many tenants were made, and how many had their requests. */
  progress(): { readonly made: number; readonly used: number };
  /** Seconds from the beginning until all were made, and from then until all were used. */
  readonly seconds: { making: number; using: number };
}

/** Makes the template and the backend's key, and begins. */
export async function startTenantLoad(url: string, operatorKey: string, tenants: number): Promise<TenantLoad> {
  const report: LoadReport = { requests: new Map(), failures: [], longestMs: 0, captured: new Set() };
  const clientOf = (bearer: string, tenant?: string) =>
    createClient({ baseUrl: url, bearer, ...(tenant !== undefined && { tenant }), timeoutMs: REQUEST_TIMEOUT_MS });
  const operator = clientOf(operatorKey);
  const namespaces = [NAMESPACE, ...Array.from({ length: LEAVES - 1 }, (_, i) => `subject ${i}`)];
  const rules = namespaces.map((namespace) => ({ agentId: AGENT, namespace, allowed: true }));
  await operator.putTemplate({ template: TEMPLATE }, { rules });
  const { key: backendKey } = await operator.createKey({
    name: "backend",
    role: `agent:${AGENT}`,
    tenants: "all",
    captures: [NAMESPACE],
  });

  let isOver = false;
  const counts = { made: 0, used: 0 };
  const seconds = { making: Number.NaN, using: Number.NaN };
  const send: Send = async (name, request) => {
    const began = performance.now();
    await request().catch((error: unknown) => {
      report.failures.push(`${new Date().toISOString()} ${name}: ${reasonOf(error)}`);
    });
    report.requests.set(name, (report.requests.get(name) ?? 0) + 1);
    report.longestMs = Math.max(report.longestMs, performance.now() - began);
  };
  async function forEach(count: "made" | "used", job: (userId: string) => Promise<void>): Promise<number> {
    const began = performance.now();
    let next = 0;
    const work = async () => {
      while (!isOver && next < tenants) {
        await job(userIdOf(++next));
        counts[count] += 1;
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return (performance.now() - began) / 1_000;
  }
  async function run(): Promise<void> {
    seconds.making = await forEach("made", (tenantId) =>
      send("new tenant", () => operator.putTenant({ tenantId }, { template: TEMPLATE })),
    );
    seconds.using = await forEach("used", (userId) => useTenant(clientOf(backendKey, userId), userId, send));
  }
  const running = run();
  return {
    report,
    backendKey,
    seconds,
    progress: () => counts,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

type Send = (name: string, request: () => Promise<unknown>) => Promise<void>;

/** Ten requests. What a tenant is given must be what it captured itself, and nothing else. */
async function useTenant(client: Client, userId: string, send: Send): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const content = `The door code ${i} of the house is ${markOf(userId)}.`;
    await send("capture", () => client.capture({ namespace: NAMESPACE, content }));
  }
  for (let i = 0; i < 4; i++)
    await send("recall", async () => {
      const { memories } = await client.recall(QUESTION);
      const foreign = memories.filter(({ content }) => !content.includes(markOf(userId)));
      if (memories.length !== 4 || foreign.length > 0)
        throw new Error(`${userId} was given ${memories.length} memories, ${foreign.length} of them another's`);
    });
  await send("chat", async () => {
    const { receipt } = await client.chat(QUESTION);
    await send("receipt", () => client.getReceipt({ answerId: receipt.answerId }));
  });
}
