// Every call that an answer waits for fails once, before it has done its work and after. Whatever comes of it, nothing
// blocked is in a prompt, and there is no answer without its record.
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { postgresRecords } from "#adapters/records/postgres/index.ts";
import { sqliteRecords } from "#adapters/records/sqlite/index.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { recordingModel } from "#test/support/models.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const BLOCKED = "canary";
const DOORS = {
  JSON: { path: "/api/chat", accept: "application/json" },
  stream: { path: "/api/chat", accept: "text/event-stream" },
  companion: { path: "/api/companion", accept: "application/json" },
  "companion, streamed": { path: "/api/companion", accept: "text/event-stream" },
} as const;
type Door = (typeof DOORS)[keyof typeof DOORS];
type When = "before" | "after";

/** Fails the call at a position, and counts all of them. */
function saboteur() {
  let [calls, position] = [0, Number.POSITIVE_INFINITY];
  let when: When = "before";
  let failed: string | undefined;

  function wrap<T extends object>(what: string, port: T, only: (name: string) => boolean = () => true): T {
    return new Proxy(port, {
      get(target, name: string) {
        const value: unknown = Reflect.get(target, name);
        if (what === "records" && typeof value === "object") return wrap(`records.${name}`, value as object, only);
        if (typeof value !== "function" || !only(name)) return value;
        return async (...args: unknown[]) => {
          const isMine = ++calls === position;
          if (isMine) failed = `${what}.${name}`;
          if (isMine && when === "before") throw new Error("sabotage");
          const result = await value.apply(target, args);
          if (isMine) throw new Error("sabotage");
          return result;
        };
      },
    });
  }

  return {
    wrap,
    arm(at: number, then: When) {
      [calls, position, when, failed] = [0, at, then, undefined];
    },
    get calls() {
      return calls;
    },
    get failed() {
      return failed;
    },
  };
}

const DATABASES = {
  SQLite: async () => sqliteRecords({ path: ":memory:" }),
  async PostgreSQL() {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    return postgresRecords({ url });
  },
};
/** What an answer does not wait for: it is told of changes, or not. */
const NOT_AWAITED = new Set(["onChange", "close"]);

describe.each(Object.entries(DATABASES))("on %s", (_, open) => {
  test.each(Object.entries(DOORS))("%s", { timeout: 120_000 }, async (__, door) => {
    const records = await open();
    const model = recordingModel();
    const fault = saboteur();
    const { wrap } = fault;
    const service = await serviceForTest({
      overrides: {
        records: wrap("records", records, (name) => !NOT_AWAITED.has(name)),
        blobs: wrap("blobs", memoryBlobs()),
        model: wrap("model", model),
      },
    });
    for (const agentId of ["assistant", "companion"]) {
      await service.client.setAccess({ agentId, namespace: "secret", allowed: false });
    }
    await service.client.capture({ namespace: "secret", content: `dinner ${BLOCKED}`, sourceAgent: "s" });

    fault.arm(Number.POSITIVE_INFINITY, "before");
    expect((await ask(service, door)).answer).toBeDefined();
    const { calls } = fault;
    expect(calls).toBeGreaterThan(8);

    const failed = new Set<string>();
    for (const when of ["before", "after"] as const) {
      for (let position = 1; position <= calls; position++) {
        fault.arm(position, when);
        const { status, answer, problem } = await ask(service, door);
        failed.add(`${fault.failed}`);
        const where = `${when} ${position}: ${fault.failed}`;
        if (answer === undefined) expect(problem ?? status, where).toBeGreaterThanOrEqual(500);
        else
          expect(await records.receipts.isIssued(answer.receipt.answerId, canonicalJson(answer.receipt)), where).toBe(
            true,
          );
      }
    }
    expect([...failed]).toEqual(
      expect.arrayContaining(["records.changeFeed.since", "records.policy.passFence", "records.receipts.add"]),
    );
    expect([...failed]).toEqual(expect.arrayContaining(["records.memories.at", "blobs.get", "model.complete"]));
    expect(JSON.stringify(model.prompts)).not.toContain(BLOCKED);
    expect(model.prompts.length).toBeGreaterThan(calls);

    fault.arm(Number.POSITIVE_INFINITY, "before");
    expect((await ask(service, door)).answer).toBeDefined();
  });
});

interface Outcome {
  readonly status: number;
  readonly answer?: { readonly receipt: { readonly answerId: string } };
  /** The status of the problem in a stream. */
  readonly problem?: number;
}

async function ask({ app }: Service, { path, accept }: Door): Promise<Outcome> {
  const response = await app.request(`http://127.0.0.1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, host: "127.0.0.1" },
    body: JSON.stringify({ agentId: "assistant", query: "What about dinner?" }),
  });
  const { status } = response;
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return status === 200 ? { status, answer: JSON.parse(text) } : { status };
  }
  const dataOf = (name: string) => {
    const [, data] = new RegExp(`event: ${name}\\ndata: (.*)`).exec(text) ?? [];
    return data === undefined ? undefined : JSON.parse(data);
  };
  const [answer, problem] = [dataOf("answer"), dataOf("problem")?.status];
  return { status, ...(answer && { answer }), ...(problem !== undefined && { problem }) };
}
