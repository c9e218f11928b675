// The commands that talk to a service, against a real one with identities.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Client } from "#contract/client/client.ts";
import type { Check } from "#core/verify/check.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest } from "#test/support/service.ts";
import { startKeyedService } from "#test/support/start-keyed-service.ts";

const ASK = "What about dinner?";
let service: Awaited<ReturnType<typeof startKeyedService>>;
let assistant: string;
let admin: Client;

beforeAll(async () => {
  service = await startKeyedService();
  admin = service.admin;
  assistant = (await service.keyFor("agent:assistant", { captures: ["diet"] })).key;
  return () => service.stop();
});

/** As the agent `assistant`, unless another key is given. */
const run = (args: readonly string[], more: Parameters<typeof portcullis>[1] = {}) =>
  portcullis(args, { url: service.url, key: assistant, ...more });
const asAdmin = (...args: string[]) => run(args, { key: service.adminKey });
const linesOf = (out: string): string[] => out.trimEnd().split("\n");

describe("asking", () => {
  test("chat prints the answer alone on standard output, and what it rests on beside it", async () => {
    const { code, out, err } = await run(["chat", ASK]);
    expect(code).toBe(0);
    expect(out).toMatch(/satay/);
    expect(err).toMatch(/^Receipt ans_\w+: used \d+ memories of .*; closed: finance\.\n$/);
  });

  test("chat streams on a terminal, and reads the question from standard input", async () => {
    const pieces: string[] = [];
    const { code, out } = await run(["chat"], {
      stdin: `${ASK}\n`,
      columns: 80,
      onWrite: (piece) => pieces.push(piece),
    });
    expect(code).toBe(0);
    expect(pieces.length).toBeGreaterThanOrEqual(2);
    const { out: whole } = await run(["chat", ASK]);
    expect(out).toBe(whole);
  });

  test("recall and chat give with --json what the service gives", async () => {
    const recalled = JSON.parse((await run(["recall", ASK, "--limit", "2", "--json"])).out);
    expect(recalled.memories).toHaveLength(2);
    expect(recalled.receipt.agentId).toBe("assistant");
    const answered = JSON.parse((await run(["chat", ASK, "--json"])).out);
    expect(answered).toMatchObject({
      answer: expect.any(String),
      receipt: { agentId: "assistant" },
      opening: { v: 2 },
    });
  });

  test("recall is a table on a terminal, and lines with tabs in a pipe", async () => {
    const { out } = await run(["recall", ASK]);
    expect(linesOf(out)[0]?.split("\t")).toHaveLength(4);
    const { out: table } = await run(["recall", ASK], { columns: 80 });
    expect(table).toMatch(/^MEMORY +NAMESPACE +RELEVANCE +TEXT\n/);
    for (const line of linesOf(table)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("an agent's key cannot ask as another agent", async () => {
    const { code, out, err } = await run(["recall", ASK, "--agent", "advisor"]);
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(/^recall: [^\n]+\n$/);
  });
});

describe("memories", () => {
  test("are remembered, listed, shown and forgotten", async () => {
    const made = await run(["remember", "--namespace", "diet"], { stdin: "Likes figs.\n" });
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^mem_\w+\n$/) });
    const memoryId = made.out.trim();
    const { memory } = await admin.getMemory({ memoryId });
    expect(memory).toMatchObject({ content: "Likes figs.", sourceAgent: "assistant", namespace: "diet" });

    const listed = await run(["memories", "--search", "figs", "--json"]);
    expect(linesOf(listed.out).map((line) => JSON.parse(line))).toEqual([memory]);
    expect((await run(["memories", memoryId])).out).toMatch(/namespace +diet\n(.*\n)*\nLikes figs\.\n$/);

    const dry = await run(["forget", memoryId, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, out: "1 would be forgotten\n" });
    const gone = await run(["forget", memoryId, "--reason", "asked to", "--json"]);
    expect(JSON.parse(gone.out).tombstone).toMatchObject({ memoryId, reason: "asked to" });
    expect(await run(["memories", memoryId])).toMatchObject({ code: 4, out: "" });
  });

  test("are forgotten by what they have in common", async () => {
    for (const n of [1, 2, 3]) await admin.capture({ namespace: "scratch", content: `Note ${n}.`, sourceAgent: "s" });
    expect((await asAdmin("forget", "--namespace", "scratch", "--dry-run")).out).toBe("3 would be forgotten\n");
    expect(await asAdmin("forget", "--namespace", "scratch")).toMatchObject({ code: 0, err: "3 forgotten\n" });
    expect((await asAdmin("memories", "--namespace", "scratch")).out).toBe("");
  });

  test("are listed up to a limit, with a word that there are more, or all of them over pages", async () => {
    const { out, err } = await asAdmin("memories", "--limit", "2", "--json");
    expect(linesOf(out)).toHaveLength(2);
    expect(err).toContain("There are more");
    const all = await asAdmin("memories", "--all", "--json");
    expect(linesOf(all.out).map((line) => JSON.parse(line))).toEqual((await admin.listMemories()).memories);
    expect(all.err).toBe("");
  });

  test("that the agent may not use are not listed", async () => {
    const { out } = await run(["memories", "--all", "--json"]);
    expect(linesOf(out).map((line) => JSON.parse(line).namespace)).not.toContain("finance");
  });
});

test("the policy is shown and changed, and an agent cannot change it", async () => {
  const { out } = await asAdmin("policy", "--agent", "planner");
  expect(linesOf(out)).toContain("planner\thealth\trevoked");
  const refused = await run(["policy", "allow", "assistant", "finance"]);
  expect(refused).toMatchObject({ code: 3, out: "" });
  const changed = await asAdmin("policy", "allow", "planner", "health", "--json");
  expect(JSON.parse(changed.out)).toEqual({
    agentId: "planner",
    namespace: "health",
    allowed: true,
    version: expect.any(Number),
  });
  const shown = JSON.parse((await asAdmin("policy", "--namespace", "health", "--agent", "planner", "--json")).out);
  expect(shown).toEqual({ policy: { planner: { health: true } }, version: JSON.parse(changed.out).version });
  expect((await asAdmin("policy", "revoke", "planner", "health")).out).toMatch(/^health is closed to planner now\./);
});

test("a rule is removed, and a file of rules is set as one change, from each of its forms", async () => {
  const folder = await directoryForTest();
  const fileOf = (text: string) => {
    const path = join(folder, "rules");
    writeFileSync(path, text);
    return path;
  };
  const rulesOf = async (agent: string) =>
    JSON.parse((await asAdmin("policy", "--agent", agent, "--json")).out).policy[agent];
  const lines = ["x", "y"].map((namespace) => JSON.stringify({ agentId: "batcher", namespace, allowed: true }));
  const { out } = await asAdmin("policy", "apply", fileOf(`${lines.join("\n\n")}\n`));
  expect(out).toMatch(/^2 rules are set\. Policy version \d+\.\n$/);
  expect(await rulesOf("batcher")).toEqual({ x: true, y: true });
  const removed = await asAdmin("policy", "remove", "batcher", "x", "--json");
  expect(JSON.parse(removed.out)).toMatchObject({ agentId: "batcher", namespace: "x", allowed: null });
  expect(await rulesOf("batcher")).toEqual({ y: true });

  const document = JSON.stringify({ policy: { batcher: { x: true, y: false } }, version: 1 });
  const { version } = JSON.parse((await asAdmin("policy", "apply", fileOf(document), "--json")).out);
  expect(version).toBe(JSON.parse(removed.out).version + 1);
  expect(await rulesOf("batcher")).toEqual({ x: true, y: false });
  const body = JSON.stringify({ rules: [{ agentId: "batcher", namespace: "x", allowed: null }] });
  const piped = await run(["policy", "apply"], { stdin: body, key: service.adminKey });
  expect(piped).toMatchObject({ code: 0 });
  expect(await rulesOf("batcher")).toEqual({ y: false });
});

test("a file of rules that is not valid changes nothing, and the error names the line or the rule", async () => {
  const folder = await directoryForTest();
  const apply = (text: string) => {
    const path = join(folder, "rules");
    writeFileSync(path, text);
    return asAdmin("policy", "apply", path);
  };
  const rule = { agentId: "batcher", namespace: "z", allowed: true };
  const before = await asAdmin("policy", "--json");
  expect(await apply(`${JSON.stringify(rule)}\nnonsense`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("Line 2"),
  });
  expect(await apply(" \n")).toMatchObject({ code: 2, err: expect.stringContaining("no rules") });
  const twice = await apply(`${JSON.stringify(rule)}\n${JSON.stringify(rule)}`);
  expect(twice).toMatchObject({ code: 2, err: expect.stringContaining("rules/1 is about the same agent") });
  const alike = await apply(JSON.stringify({ ...rule, agentId: "p1anner" }));
  expect(alike).toMatchObject({
    code: 1,
    err: expect.stringMatching(/rules\/0\/agentId: .*“planner”.*allowConfusable/),
  });
  expect((await asAdmin("policy", "--json")).out).toBe(before.out);
});

test("a receipt is listed, shown, anchored and verified", async () => {
  const { receipt } = JSON.parse((await run(["recall", ASK, "--json"])).out);
  const { answerId } = receipt;
  const { out } = await run(["receipts", "--limit", "1", "--agent", "assistant", "--json"]);
  expect(JSON.parse(out).receipt.answerId).toBe(answerId);
  expect((await run(["receipts", answerId])).out).toMatch(/^blocked +finance$/m);

  const early = await run(["verify", answerId]);
  expect(early).toMatchObject({ code: 4, err: expect.stringContaining(`portcullis anchor ${answerId}`) });
  const anchored = await run(["anchor", answerId]);
  expect(anchored).toMatchObject({ code: 0, out: expect.stringMatching(/^0x[0-9a-f]{64}\n$/) });
  const verified = await run(["verify", answerId]);
  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Consistent: on a ledger that the operator keeps\. All \d+ checks passed, against this service’s own local ledger\.$/m,
    ),
  });
  const byId = await run(["verify", anchored.out.trim(), "--json"]);
  expect(JSON.parse(byId.out).verdict).toBe("verified");
  await run(["anchor", answerId, "--sealed"]);
  const sealed = await run(["verify", answerId]);
  expect(sealed).toMatchObject({ code: 1, out: expect.stringMatching(/^Sealed: 0 of \d+ disclosed\./m) });
  const unknown = await run(["verify", `0x${"1".repeat(64)}`]);
  expect(unknown.code).toBe(6);
  expect(unknown.out).toContain("Failed: no such receipt");
});

test("verify judges by itself what it fetched, whatever the service says of it", async () => {
  const { receipt } = JSON.parse((await run(["recall", ASK, "--json"])).out);
  const receiptId = (await run(["anchor", receipt.answerId])).out.trim();
  const asked: string[] = [];
  const lying = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    const reply = await fetch(`${service.url}${request.url}`);
    const bytes = Buffer.from(await reply.arrayBuffer());
    const isBlob = request.url?.startsWith("/v1/blobs/") === true;
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    response.end(isBlob ? bytes.toString().replace("satay", "salad") : bytes);
  });
  await new Promise<void>((resolve) => lying.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void lying.close());
  const url = `http://127.0.0.1:${(lying.address() as AddressInfo).port}`;
  const { code, out } = await portcullis(["verify", receiptId], { url });
  expect([code, out]).toEqual([6, expect.stringContaining("Failed: its text was changed")]);
  expect(asked.filter((path) => path.startsWith("/api/verify"))).toEqual([]);
});

test("verify takes an opening from a file, and sends it nowhere", async () => {
  const { receipt, opening } = JSON.parse((await run(["chat", ASK, "--json"])).out);
  const receiptId = (await run(["anchor", receipt.answerId])).out.trim();
  const directory = mkdtempSync(join(tmpdir(), "portcullis-opening-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const verifyWith = (text: string) => {
    const path = join(directory, "opening.json");
    writeFileSync(path, text);
    return run(["verify", receiptId, "--opening", path]);
  };
  for (const text of [JSON.stringify(opening), `${opening.seed}\n`]) {
    const { code, out } = await verifyWith(text);
    expect([code, out]).toEqual([0, expect.stringContaining("The opening belongs to this receipt.")]);
  }
  expect((await verifyWith(JSON.stringify({ v: 2, seed: "ab".repeat(32) }))).code).toBe(6);
  expect(await verifyWith("no opening")).toMatchObject({ code: 2, err: expect.stringContaining("--opening") });
});

test("proof writes a file that is verified without the service, with what was disclosed and nothing else", async () => {
  const narrowed = ["--namespace-prefix", "diet", "--min-relevance", "0"];
  const chat = JSON.parse((await run(["chat", ASK, ...narrowed, "--json"])).out);
  const { receipt, answer } = chat;
  await run(["anchor", receipt.answerId]);
  const directory = mkdtempSync(join(tmpdir(), "portcullis-proof-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "answer.portcullis.json");
  const prove = (...options: string[]) => run(["proof", receipt.answerId, "--out", path, ...options]);
  // Nothing listens there.
  const verify = (...options: string[]) => portcullis(["verify", path, ...options], { url: "http://127.0.0.1:9" });
  expect(await prove()).toMatchObject({ code: 0, err: expect.stringContaining(`portcullis verify ${path}`) });
  expect(readFileSync(path, "utf8")).not.toContain('"opening"');
  expect(await verify("--trust-key", receipt.signature.keyId)).toMatchObject({
    code: 0,
    out: expect.stringContaining("as this file has them"),
  });
  expect((await verify("--trust-key", "0".repeat(32))).code).toBe(1);
  expect((await verify("--trust-package", "0x1")).code).toBe(6);
  expect((await verify("--deep")).code).toBe(2);

  await run(["anchor", receipt.answerId, "--sealed"]);
  await prove("--disclose", "/agentId");
  expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).opening.values)).toEqual(["/agentId"]);
  expect((await verify()).out).toContain("1 of");
  expect((await prove("--disclose", "/answer")).code).toBe(2);
  const filters = { minRelevance: 0, namespacePrefix: "diet" };
  await prove("--disclose", "all", "--question", ASK, "--answer", answer, "--filters", JSON.stringify(filters));
  const { opening } = JSON.parse(readFileSync(path, "utf8"));
  expect(Object.keys(opening.values)).toEqual(expect.arrayContaining(["/question", "/prompt", "/answer"]));
  expect(opening).toMatchObject({ seed: chat.opening.seed, values: { "/filters": filters } });
  expect((await verify()).code).toBe(0);
  const python = spawnSync("python3", [VERIFY_PY, path], { encoding: "utf8" });
  if (python.error === undefined)
    expect([python.status, python.stdout]).toEqual([0, expect.stringContaining("verified")]);

  writeFileSync(path, readFileSync(path, "utf8").replace(answer, "Something else."));
  expect((await verify()).code).toBe(6);
  writeFileSync(path, "{}");
  expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining("portcullis proof") });
});

test("proof writes a file of an answer that is not anchored, which the log proves", async () => {
  const chat = JSON.parse((await run(["chat", ASK, "--json"])).out);
  const { receipt } = chat;
  const directory = mkdtempSync(join(tmpdir(), "portcullis-proof-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [path, policy, checkpoint] = ["answer.json", "policy.txt", "checkpoint"].map((name) => join(directory, name));
  const prove = (...options: string[]) => run(["proof", receipt.answerId, "--out", path ?? "", ...options]);
  const verify = (...options: string[]) =>
    portcullis(["verify", path ?? "", "--json", ...options], { url: "http://127.0.0.1:9" });
  const codesOf = ({ out }: { out: string }) =>
    Object.fromEntries(JSON.parse(out).checks.map(({ name, code, status }: Check) => [name, code ?? status]));
  await prove("--disclose", "all", "--question", ASK, "--answer", chat.answer);
  const shown = await verify();
  expect([shown.code, codesOf(shown)]).toEqual([
    1,
    expect.objectContaining({
      object: "not-anchored",
      opening: "pass",
      signature: "pass",
      memory: "pass",
      log: "pass",
    }),
  ]);
  expect(shown.out).toContain("Only this service vouches for the log");

  const { log } = JSON.parse(readFileSync(path ?? "", "utf8"));
  writeFileSync(policy ?? "", `log ${log.vkey}\nquorum none\n`);
  writeFileSync(checkpoint ?? "", log.checkpoint);
  const witnessed = await verify("--witnesses", policy ?? "", "--checkpoint", checkpoint ?? "");
  expect(codesOf(witnessed)).toMatchObject({ log: "pass", signature: "pass" });
  writeFileSync(policy ?? "", `log ${log.vkey.replace(/^[^+]*/, "other.test/log")}\nquorum none\n`);
  expect(await verify("--witnesses", policy ?? "")).toMatchObject({ code: 2, err: expect.stringContaining("Line 1") });
  expect((await verify("--checkpoint", policy ?? "")).code).toBe(2);
  expect((await run(["verify", "0x1", "--witnesses", policy ?? ""])).code).toBe(2);

  const python = spawnSync("python3", [VERIFY_PY, path ?? ""], { encoding: "utf8" });
  if (python.error === undefined)
    expect([python.status, python.stdout]).toEqual([1, expect.stringContaining("Only this service vouches")]);
  await prove();
  const sealed = readFileSync(path ?? "", "utf8");
  for (const { snippet, memoryId } of receipt.usedMemories)
    for (const secret of [snippet, memoryId, receipt.agentId]) expect(sealed).not.toContain(`"${secret}"`);
});

const VERIFY_PY = fileURLToPath(new URL("../../verifiers/python/verify.py", import.meta.url));

test("events come as they happen, and Ctrl-C ends them with 130 and no word", async () => {
  const interrupt = new AbortController();
  const seen: string[] = [];
  const listening = portcullis(["events", "--json"], {
    url: service.url,
    key: service.adminKey,
    signal: interrupt.signal,
    onWrite: (line) => seen.push(line),
  });
  // The feed says nothing when it is open, so captures go on until one is heard.
  await expect
    .poll(async () => {
      await admin.capture({ namespace: "diet", content: `Fact ${Math.random()}.`, sourceAgent: "s" });
      return seen.length;
    })
    .toBeGreaterThan(0);
  interrupt.abort();
  expect(await listening).toMatchObject({ code: 130, err: "" });
  expect(JSON.parse(seen[0] ?? "")).toMatchObject({ name: "memory-captured", data: { namespace: "diet" } });
});

describe("a failure", () => {
  test("without a key is 3 and says where to put one", async () => {
    const { code, err } = await portcullis(["policy", "--url", service.url]);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining("Set PORTCULLIS_KEY") });
  });

  test("without a service is 5 and says how to start one", async () => {
    const { code, err } = await portcullis(["policy", "--url", "http://127.0.0.1:1"]);
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining("portcullis serve") });
    const json = await portcullis(["memories", "--url", "http://127.0.0.1:1", "--json"]);
    expect(JSON.parse(json.err).error).toMatchObject({ code: "unreachable", exitCode: 5 });
  });

  test("of a value that the service refuses is 2 and names the field", async () => {
    const { code, err } = await run(["remember", "x", "--namespace", "a\u0007b"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^remember: namespace [^\n]+\n$/) });
  });

  test("prevents that a key travels without encryption", async () => {
    const { code, err } = await run(["policy", "--url", "http://memory.example:3000"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Use https://") });
    expect(err).not.toContain(assistant);
  });
});
