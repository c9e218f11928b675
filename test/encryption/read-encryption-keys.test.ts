import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEncryptionKeys } from "#adapters/encryption/read-encryption-keys.ts";
import { directoryForTest } from "#test/support/service.ts";

const key = new Uint8Array(32).fill(7);
const former = new Uint8Array(32).fill(8);
const lines = `${Buffer.from(key).toString("base64")}\n\n${Buffer.from(former).toString("hex")}\n`;

describe("a file with the key", () => {
  async function fileWith(text: string, mode = 0o600): Promise<string> {
    const path = join(await directoryForTest(), "encryption-key");
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }
  const read = (path: string) => readEncryptionKeys({ kind: "file", path });

  test("gives the key, then former ones, a line each", async () => {
    expect(await read(await fileWith(lines))).toEqual([key, former]);
  });

  test("is refused when others than its owner may read it", async () => {
    for (const mode of [0o640, 0o604]) await expect(read(await fileWith(lines, mode))).rejects.toThrow("chmod 600");
  });

  test("is refused when it is missing, or holds anything else, which the message does not quote", async () => {
    await expect(read("/nowhere/key")).rejects.toThrow("ENCRYPTION_KEY_FILE names no file");
    for (const text of ["", "hunter2", `${lines}hunter2\n`]) {
      const refusal = await read(await fileWith(text)).catch((error: Error) => error.message);
      expect(refusal).toMatch(/^ENCRYPTION_KEY_FILE must give keys of 32 bytes/);
      expect(refusal).not.toContain("hunter2");
    }
  });
});

describe("a command that prints the key", () => {
  const run = (command: string, ms?: number) => readEncryptionKeys({ kind: "command", command }, ms);

  test("gives it, with its words as they are", async () => {
    const path = join(await directoryForTest(), "print-key.mjs");
    writeFileSync(path, `process.stdout.write(${JSON.stringify(lines)})`);
    expect(await run(`${process.execPath}  ${path}`)).toEqual([key, former]);
  });

  test("is given to no shell", async () => {
    const path = join(await directoryForTest(), "made");
    await expect(run(`true; touch ${path}`)).rejects.toThrow("ENCRYPTION_KEY_COMMAND");
    await expect(run(`echo $(touch ${path})`)).rejects.toThrow("ENCRYPTION_KEY_COMMAND");
    expect(existsSync(path)).toBe(false);
  });

  test("is ended after its deadline, and its failures are said without its output", async () => {
    await expect(run("sleep 60", 50)).rejects.toThrow("was ended after 0.05 s");
    await expect(run("no-such-program-here")).rejects.toThrow("names no program that exists");
    await expect(run("false")).rejects.toThrow("exited with 1");
    const refusal = await run("echo hunter2").catch((error: Error) => error.message);
    expect(refusal).toMatch(/^ENCRYPTION_KEY_COMMAND must give keys/);
    expect(refusal).not.toContain("hunter2");
  });
});
