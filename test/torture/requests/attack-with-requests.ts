// Sends generated requests as callers of every kind, and checks each answer: no text of a memory that the caller may not
// read, no failure of ours, and a shape that the route table knows.
import fc from "fast-check";
import { TENANT_HEADER } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import { canaryOf, KEY_HOLDERS, type KeyHolder, mayRead, NAMESPACES, type World } from "#test/identity/world.ts";
import type { SecondTenant } from "#test/support/second-tenant.ts";
import { type Answer, send, sendForFirstPiece } from "#test/support/send.ts";
import { type GeneratedRequest, generatedRequests } from "./generated-requests.ts";

type Attacker = Exclude<KeyHolder, "admin"> | "operator" | "nobody";

const ATTACKERS: readonly Attacker[] = [...KEY_HOLDERS.filter((holder) => holder !== "admin"), "operator", "nobody"];

export interface AttackReport {
  readonly requests: number;
  /** How many answers had each status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Throws at the first answer that is wrong. */
export async function attackWithRequests(
  world: World,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<AttackReport> {
  const statuses = new Map<number, number>();
  const hints = [
    ...NAMESPACES,
    "assistant",
    "planner",
    "companion",
    ...Object.values(world.memoryIds),
    ...Object.values(world.answerIds),
    ...Object.values(world.second.ids),
    "What is the secret?",
  ];
  const headers = [{ [TENANT_HEADER]: world.second.id }, { [TENANT_HEADER]: "nobody" }];
  const attack = fc.tuple(fc.constantFrom(...ATTACKERS), generatedRequests(hints, headers));
  await fc.assert(
    fc.asyncProperty(attack, async ([attacker, request]) => {
      const answer = await sendAs(world, attacker, request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      checkAnswer(attacker, request, answer);
      checkTraces(world.second, attacker, answer);
    }),
    { numRuns: requests, seed, endOnFailure: true },
  );
  const texts = [...NAMESPACES.map(canaryOf), world.second.textCanary];
  const leaked = world.service.logLines.find((line) => texts.some((text) => line.includes(text)));
  if (leaked !== undefined) throw new Error(`the log has text of a memory: ${leaked}`);
  return { requests, statuses };
}

function sendAs({ service, keys, operator }: World, attacker: Attacker, request: GeneratedRequest): Promise<Answer> {
  const key = attacker === "operator" ? operator : attacker !== "nobody" && keys[attacker];
  const credentials = key ? { authorization: `Bearer ${key}` } : {};
  // A stream of events ends only with its client.
  const ask = request.path.startsWith("/api/events") ? sendForFirstPiece : send;
  return ask(`${service.url}${request.path}`, {
    method: request.method,
    headers: { ...request.headers, ...credentials },
    ...(request.body !== undefined && { body: request.body }),
  });
}

function checkAnswer(attacker: Attacker, request: GeneratedRequest, { status, headers, text }: Answer): void {
  const sent = `${attacker}: ${request.method} ${request.path}`;
  if (status >= 500) throw new Error(`${sent} was answered ${status}: ${text}`);
  const everything = `${JSON.stringify(headers)}${text}`;
  for (const namespace of NAMESPACES) {
    // Its admin may open the garden to anybody meanwhile.
    const isExpected =
      mayRead(attacker, namespace) || (namespace === "garden" && !["nobody", "auditor", "operator"].includes(attacker));
    if (!isExpected && everything.includes(canaryOf(namespace)))
      throw new Error(`${sent} got text of ${namespace}: ${text}`);
  }
  const fault = faultIn(request, { status, headers, text });
  if (fault !== undefined) throw new Error(`${sent} was answered ${status} with ${fault}: ${text.slice(0, 500)}`);
}

/** Operators alone are told which tenants there are. */
function checkTraces({ id, tracesIn }: SecondTenant, attacker: Attacker, { headers, text }: Answer): void {
  const traces = tracesIn(`${JSON.stringify(headers)}${text}`).filter(
    (trace) => attacker !== "operator" || trace !== id,
  );
  if (traces.length > 0) throw new Error(`${attacker} got ${traces} of another tenant: ${text}`);
}

function faultIn({ operationId, method }: GeneratedRequest, { status, headers, text }: Answer): string | undefined {
  if (method === "HEAD" || text === "") return undefined;
  const type = headers["content-type"] ?? "";
  if (status >= 400) {
    if (!type.startsWith("application/problem+json")) return "an error that is no problem";
    return problemSchema.safeParse(JSON.parse(text)).success ? undefined : "a problem of another shape";
  }
  if (!type.startsWith("application/json")) return undefined;
  const route: Route | undefined = routes[operationId as keyof typeof routes];
  // A method that was changed may have met another row.
  if (route === undefined || route.method !== method) return undefined;
  const parsed = route.response.safeParse(JSON.parse(text));
  return parsed.success ? undefined : `a body of another shape (${parsed.error.message})`;
}
