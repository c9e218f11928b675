// The commands about tenants, and the option that names one, against a real service with identities.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deleteTenantsRegularly } from "#background/jobs.ts";
import { createLog } from "#log.ts";
import { type PortcullisOptions, portcullis } from "#test/support/portcullis.ts";
import { startKeyedService } from "#test/support/start-keyed-service.ts";

let service: Awaited<ReturnType<typeof startKeyedService>>;
let key: string;
let settings: Record<string, string>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-test-"));
  const database = join(folder, "records.db");
  settings = { DATABASE_URL: database, AUTH: "keys" };
  service = await startKeyedService({ database, environment: { SEED: "none" } });
  const { tenantAdministration } = service.tenant;
  key = (await tenantAdministration.createDeploymentKey({ name: "operator", role: "operator" }, "test")).key;
  return async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  };
});

const run = (line: string, more: PortcullisOptions = {}) =>
  portcullis(line.split(" "), { url: service.url, key, settings, ...more });

describe("tenants", () => {
  test("are made, listed, shown, suspended and resumed", async () => {
    expect(await run("tenants create acme")).toEqual({ code: 0, out: "", err: "acme was made.\n" });
    expect((await run("tenants create acme")).code).toBe(1);
    const { out } = await run("tenants list");
    expect(out.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([
      ["default", "", "good"],
      ["acme", expect.stringMatching(/^20/), "good"],
      [""],
    ]);
    expect(JSON.parse((await run("tenants suspend acme --json")).out)).toMatchObject({ id: "acme" });
    expect((await run("tenants show acme")).out).toMatch(/^id +acme\n[\s\S]*suspendedAt +20[\s\S]*memories +0\n/);
    expect((await run("tenants resume acme")).err).toBe("acme goes on.\n");
    expect((await run("tenants show nobody")).code).toBe(4);
    expect((await run("tenants list", { key: service.adminKey })).code).toBe(3);
  });

  test("have keys, and callers that name them", async () => {
    const made = await run("keys create --tenant acme --name admin --role admin");
    const own = { key: made.out.trim() };
    expect((await run("keys list --tenant acme")).out).toContain("admin");
    expect((await run("keys list")).out).not.toContain(made.err.split(" ")[0]);
    expect((await run("keys list --tenant nobody")).code).toBe(4);
    const remembered = await run("remember Nuts. --namespace diet --agent seed --tenant acme", own);
    expect(remembered.code, remembered.err).toBe(0);
    expect((await run("memories --tenant default", own)).code).toBe(3);
    expect((await run("memories", own)).out).toContain("Nuts.");
    const { admin } = service;
    const all = await admin.listMemories();
    expect(all.memories).toEqual([]);
  });

  test("are checked and pruned one after the other, or one alone", async () => {
    const checked = await run("fsck");
    expect(checked.out.split("\n")).toEqual([
      expect.stringMatching(/^0 memories.*everything agrees\.$/),
      expect.stringMatching(/^acme: 1 memory.*everything agrees\.$/),
      "",
    ]);
    expect(JSON.parse((await run("fsck --tenant acme --json")).out)).toMatchObject({ tenant: "acme", memories: 1 });
    expect((await run("fsck --tenant nobody")).code).toBe(2);
    const { tenants } = service.tenant;
    const acme = await tenants.find("acme");
    await tenants.useRecords(acme ?? expect.fail(), async ({ records }) => {
      const now = new Date().toISOString();
      const { decisions } = await records.decisions.page({ limit: 100 });
      const pruned = JSON.parse((await run(`prune --before ${now} --dry-run --json --tenant acme`)).out);
      // The newest stays.
      expect(pruned.decisions).toBe(decisions.length - 1);
      const all = JSON.parse((await run(`prune --before ${now} --dry-run --json`)).out);
      expect(all.decisions).toBeGreaterThan(pruned.decisions);
    });
  });

  test("are deleted when their name is typed, or with --yes, and the tombstone is shown at the end", async () => {
    expect(await run("tenants delete acme")).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    const refused = await run("tenants delete acme", { typed: "yes\n", columns: 80 });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("This deletes acme with 1 memory, for good. Type acme to go on: ");
    expect((await run("tenants show acme")).out).not.toContain("endedAt");
    const job = deleteTenantsRegularly(service.tenant, createLog({ level: "silent" }), { intervalMs: 20 });
    onTestFinished(() => job.stop());
    const { code, out } = await run("tenants delete acme --wait", { typed: "acme\n", columns: 80 });
    expect(code).toBe(0);
    expect(out).toMatch(/^tenantId +acme\n[\s\S]*endedAt +20[\s\S]*memories +1\n[\s\S]*signedWith +[0-9a-f]{32}\n$/);
    expect((await run("fsck --tenant acme")).code).toBe(2);
    await run("tenants create globex");
    expect((await run("tenants delete globex --yes")).err).toMatch(/^Nobody may act in globex any more/);
  });
});
