// GET /metrics on a real service: the numbers add up, whatever callers send, and no label tells what they sent.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAdmission } from "#http/admission/admission.ts";
import { METRICS } from "#ports/metrics.ts";
import { readExposition, type Scraped } from "#test/support/exposition.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { heldModel } from "#test/support/models.ts";
import { post, send } from "#test/support/send.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const QUESTION = { agentId: "assistant", query: "What about dinner?" };
const REQUESTS = "portcullis_http_request_duration_seconds_count";

const scrape = async ({ client }: Pick<Service, "client">): Promise<Scraped> =>
  readExposition(await client.getMetrics());

test("every metric of the catalogue is there with its type, and so are those of the process", async () => {
  const service = await serviceForTest({ database: `${await directoryForTest()}/a.db` });
  await service.client.chat(QUESTION);
  const { types, total, samples } = await scrape(service);
  for (const { name, kind } of Object.values(METRICS)) expect(types.get(name), name).toBe(kind);
  for (const name of ["process_cpu_seconds_total", "nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"])
    expect(types.has(name), name).toBe(true);
  expect(total("portcullis_build_info", { node: process.version, records: "sqlite", blobs: "memory" })).toBe(1);
  expect(total("portcullis_disk_free_bytes")).toBeGreaterThan(0);
  const own = samples.filter(({ name }) => name.startsWith("portcullis_"));
  for (const { name, value } of own) expect(value, name).not.toBeNaN();
});

test("names follow the conventions: base units, and _total for counters alone", () => {
  for (const { name, kind } of Object.values(METRICS)) {
    expect(name).toMatch(/^portcullis_[a-z]+(?:_[a-z]+)*$/);
    expect(name.endsWith("_total")).toBe(kind === "counter");
    expect(name).not.toMatch(/_(?:ms|milliseconds|kb|mb|percent)(?:_|$)/);
  }
});

test("buckets of a histogram grow up to its count", async () => {
  const service = await serviceForTest();
  for (let i = 0; i < 3; i++) await service.client.chat(QUESTION);
  const { samples, total } = await scrape(service);
  const buckets = samples.filter(
    ({ name, labels }) => name === "portcullis_http_request_duration_seconds_bucket" && labels.route === "/api/chat",
  );
  const values = buckets.map(({ value }) => value);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toMatchObject({ labels: { le: "+Inf" }, value: 3 });
  expect(total(REQUESTS, { route: "/api/chat", method: "POST", status: "2xx" })).toBe(3);
});

test("every request is counted once, and no label shows a path, an agent or a namespace that a caller sent", async () => {
  const service = await serviceForTest();
  const word = fc.stringMatching(/^zq[a-z0-9]{6}$/);
  const path = fc.oneof(
    word.map((name) => `/${name}`),
    word.map((name) => `/api/${name}`),
    word.map((name) => `/api/memories/${name}`),
    word.map((name) => `/api/receipts/${name}/blocked`),
    word.map((name) => `/api/policy?${name}=${name}`),
  );
  const method = fc.constantFrom("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PURGE", "MKCOL");
  const chat = fc.record({ agentId: word, query: word });
  const capture = fc.record({ namespace: word, content: word, sourceAgent: word });
  const request = fc.oneof(
    fc.record({ path, method }),
    chat.map((body) => ({ path: "/api/chat", method: "POST", body })),
    capture.map((body) => ({ path: "/api/memories", method: "POST", body })),
  );
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 8 }), async (requests) => {
      await Promise.all(
        requests.map((each) => {
          const headers = { "content-type": "application/json", "x-request-id": "zqid" };
          return send(service.url + each.path, {
            method: each.method,
            headers,
            ...("body" in each && { body: JSON.stringify(each.body) }),
          });
        }),
      );
      sent += requests.length;
      const { total, samples } = await scrape(service);
      expect(total(REQUESTS)).toBe(sent);
      // The scrape itself is counted by the next one.
      sent += 1;
      expect(samples.map(({ labels }) => JSON.stringify(labels)).join()).not.toContain("zq");
    }),
    { numRuns: 30 },
  );
  const { samples } = await scrape(service);
  const values = (label: string) => new Set(samples.flatMap(({ labels }) => labels[label] ?? []));
  for (const method of values("method"))
    expect(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "other"]).toContain(method);
  expect(values("route").size).toBeLessThanOrEqual(12);
});

test("the gate's decisions, the fence, commits and calls of model, blobs and ledger are counted", async () => {
  const service = await serviceForTest();
  const { client } = service;
  const before = await scrape(service);
  const { receipt } = await client.chat(QUESTION);
  await client.chat({ ...QUESTION, agentId: "stranger" });
  await client.anchorOnChain({ receipt });
  const { total } = await scrape(service);
  const increase = (name: string, labels = {}) => total(name, labels) - before.total(name, labels);
  expect(increase("portcullis_gate_decisions_total", { operation: "chat", outcome: "allowed" })).toBe(1);
  expect(increase("portcullis_gate_decisions_total", { operation: "chat", outcome: "blocked" })).toBe(1);
  expect(increase("portcullis_receipts_total", { state: "issued" })).toBe(2);
  // The prompt, the answer, and what the anchor publishes in three steps. What uses no memory needs no fence.
  expect(increase("portcullis_fence_passages_total", { outcome: "passed" })).toBe(5);
  expect(increase("portcullis_fence_wait_seconds_count")).toBe(5);
  expect(increase("portcullis_fence_hold_seconds_count")).toBe(5);
  expect(increase("portcullis_model_call_duration_seconds_count", { outcome: "ok" })).toBe(2);
  expect(increase("portcullis_blob_call_duration_seconds_count", { operation: "put", outcome: "ok" })).toBe(1);
  expect(increase("portcullis_blob_call_duration_seconds_count", { operation: "get" })).toBeGreaterThan(0);
  expect(increase("portcullis_ledger_call_duration_seconds_count", { operation: "anchor", outcome: "ok" })).toBe(1);
  expect(increase("portcullis_commit_duration_seconds_count")).toBeGreaterThan(0);
  expect(increase("portcullis_commit_writes_sum")).toBeGreaterThanOrEqual(increase("portcullis_commit_writes_count"));
});

test("a change of the policy that closes is measured, and one that opens is not", async () => {
  const service = await serviceForTest();
  const rule = { agentId: "assistant", namespace: "diet" };
  const version = (await service.client.setAccess({ ...rule, allowed: false })).version;
  const revoked = await scrape(service);
  expect(revoked.total("portcullis_revoke_duration_seconds_count")).toBe(1);
  expect(revoked.total("portcullis_policy_version")).toBe(version);
  await service.client.setAccess({ ...rule, allowed: true });
  expect((await scrape(service)).total("portcullis_revoke_duration_seconds_count")).toBe(1);
});

test("what the fence withholds is counted, and waited for nothing", async () => {
  const service = await serviceForTest();
  const waits = (await scrape(service)).total("portcullis_fence_wait_seconds_count");
  const readSet = { agentId: "stranger", policyVersion: 0, namespaces: ["diet"], removals: 0, memoryIds: [] };
  expect(await service.tenant.records.policy.passFence(readSet, () => undefined)).toBe(false);
  const { total } = await scrape(service);
  expect(total("portcullis_fence_passages_total", { outcome: "withheld" })).toBe(1);
  expect(total("portcullis_fence_wait_seconds_count")).toBe(waits);
});

test("the size of the index is kept as memories come and go", async () => {
  const service = await serviceForTest();
  const expectSize = async () => {
    const { memories } = await service.client.getOverview();
    const { total } = await scrape(service);
    expect(total("portcullis_index_memories")).toBe(memories.total);
    expect(total("portcullis_index_namespaces")).toBe(memories.namespaces);
  };
  await service.client.recall(QUESTION);
  await expectSize();
  for (const namespace of ["garden", "garden", "cellar"]) {
    await service.client.capture({ namespace, content: `In the ${namespace}, ${Math.random()}`, sourceAgent: "a" });
  }
  await service.tenant.index.catchUp();
  await expectSize();
  await service.client.resetDemo();
  await service.tenant.index.catchUp();
  await expectSize();
});

describe("What is refused", () => {
  test("by admission control is counted, and metrics are answered meanwhile", async () => {
    const { model, answer } = heldModel();
    const admission = createAdmission({ most: 1, longLine: 1, longestWaitMs: 60_000 });
    const service = await serviceForTest({ overrides: { model }, admission });
    const chat = () => post(`${service.url}/api/chat`, QUESTION);
    const inFlight = chat();
    await expect.poll(() => admission.state().inFlight).toBe(1);
    const waiting = chat();
    await expect.poll(() => admission.state().waiting).toBe(1);
    expect((await chat()).status).toBe(503);
    const { total } = await scrape(service);
    expect(total("portcullis_http_requests_refused_total", { by: "admission" })).toBe(1);
    expect(total("portcullis_http_requests_in_flight")).toBe(1);
    expect(total("portcullis_http_requests_waiting")).toBe(1);
    expect(total("portcullis_model_calls_running")).toBe(1);
    expect(total("portcullis_answers_in_flight")).toBe(1);
    answer();
    await Promise.all([inFlight, waiting]);
    await expect
      .poll(async () => {
        const after = await scrape(service);
        return ["requests_in_flight", "requests_waiting"].map((name) => after.total(`portcullis_http_${name}`));
      })
      .toEqual([0, 0]);
  });

  test("by a rate limit, by a role or for a bad key is counted by its reason", async () => {
    const service = await keyedServiceForTest({
      environment: { LIMIT_READS_PER_MINUTE: "3", LIMIT_SIGN_INS_PER_MINUTE: "1" },
    });
    const { client: agent } = await service.keyFor("agent:assistant");
    const { client: auditor } = await service.keyFor("auditor");
    await expect(agent.getMetrics()).rejects.toMatchObject({ problem: { code: "forbidden" } });
    // The refused request counts, too.
    for (let i = 0; i < 2; i++) await agent.getService();
    await expect(agent.getService()).rejects.toMatchObject({ problem: { code: "too-many-requests" } });
    const { total } = await scrape({ client: auditor });
    expect(total("portcullis_http_requests_refused_total", { by: "rate-limit" })).toBe(1);
    expect(total("portcullis_gate_decisions_total", { operation: "getMetrics", outcome: "refused" })).toBe(1);
    expect(total("portcullis_http_problems_total", { code: "too-many-requests" })).toBe(1);
    expect(total("portcullis_http_problems_total", { code: "forbidden" })).toBe(1);
    await expect(service.as("wrong").getService()).rejects.toMatchObject({ problem: { code: "unauthenticated" } });
    await expect(service.as("wrong").getService()).rejects.toMatchObject({ problem: { code: "too-many-requests" } });
    // The address is refused now, whoever it is.
    const after = readExposition((await service.tenant.metrics.exposition()).text);
    expect(after.total("portcullis_http_requests_refused_total", { by: "failed-authentications" })).toBe(1);
  });
});

describe("A scrape", () => {
  test("is answered while the database is not, with the gauges that need none", async () => {
    const service = await serviceForTest();
    service.tenant.records.chainAnchors.countPending = () => Promise.reject(new Error("gone"));
    const { total } = await scrape(service);
    expect(total("portcullis_anchors_pending")).toBeNaN();
    expect(total("portcullis_index_memories")).toBeGreaterThan(0);
  });

  test("answers HEAD with the type of the format, and counts as reading", async () => {
    const { url } = await serviceForTest({ environment: { LIMIT_READS_PER_MINUTE: "1" } });
    const head = await send(`${url}/metrics`, { method: "HEAD" });
    expect([head.status, head.headers["content-type"], head.text]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "",
    ]);
    expect((await send(`${url}/metrics`)).status).toBe(429);
  });
});
