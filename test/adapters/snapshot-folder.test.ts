import { createHash } from "node:crypto";
import { chmod, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { snapshotFolder } from "#adapters/index-snapshots/snapshot-folder.ts";

const NAME = "a".repeat(64);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytes = (text: string) => new TextEncoder().encode(text);

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "snapshots-"));
  folder = join(parent, "index");
});
afterEach(() => rm(parent, { recursive: true }));

describe("a folder of snapshots", () => {
  test("gives back what was written, with its digest, and replaces it", async () => {
    const files = snapshotFolder({ folder });
    expect(await files.read(NAME)).toBeUndefined();
    expect(await files.names()).toEqual([]);
    const large = new Uint8Array(3_000_000).map((_, i) => i % 251);
    const digest = await files.write(NAME, [large.subarray(0, 1_000), large.subarray(1_000), new Uint8Array(0)]);
    expect(digest).toBe(sha256(large));
    const read = await files.read(NAME);
    expect(read?.digest).toBe(digest);
    expect(Buffer.compare(read?.bytes ?? new Uint8Array(0), large)).toBe(0);
    await files.write(NAME, [bytes("short")]);
    expect(Buffer.from((await files.read(NAME))?.bytes ?? []).toString()).toBe("short");
    expect(await files.names()).toEqual([NAME]);
    await files.remove(NAME);
    await files.remove(NAME);
    expect(await files.names()).toEqual([]);
  });

  test("lets nobody else read the folder or a file", async () => {
    await snapshotFolder({ folder }).write(NAME, [bytes("words")]);
    const [file] = await readdir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, file ?? ""))).mode & 0o777).toBe(0o600);
  });

  test("keeps the earlier file, and nothing else, when the disk is full", async () => {
    await snapshotFolder({ folder }).write(NAME, [bytes("earlier")]);
    let chunks = 0;
    const create = async (path: string) => {
      const file = await open(path, "wx");
      const writeFile: typeof file.writeFile = (data) =>
        ++chunks === 2 ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })) : file.writeFile(data);
      return { writeFile, sync: () => file.sync(), close: () => file.close() };
    };
    const full = snapshotFolder({ folder, create });
    await expect(full.write(NAME, [bytes("new "), bytes("content")])).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await readdir(folder)).toEqual([`${NAME}.snapshot`]);
    expect(Buffer.from((await full.read(NAME))?.bytes ?? []).toString()).toBe("earlier");
  });

  test("keeps the earlier file when the chunks cannot be made", async () => {
    const files = snapshotFolder({ folder });
    await files.write(NAME, [bytes("earlier")]);
    function* failing() {
      yield bytes("new");
      throw new Error("no more");
    }
    await expect(files.write(NAME, failing())).rejects.toThrow("no more");
    expect(await readdir(folder)).toEqual([`${NAME}.snapshot`]);
  });

  test("shows a file that was damaged by its digest", async () => {
    const files = snapshotFolder({ folder });
    const digest = await files.write(NAME, [bytes("words")]);
    const path = join(folder, `${NAME}.snapshot`);
    const content = await readFile(path);
    content[2] = (content[2] ?? 0) ^ 1;
    await writeFile(path, content);
    expect((await files.read(NAME))?.digest).not.toBe(digest);
  });

  test("removes what a process left that ended while it wrote, and names no other file", async () => {
    const files = snapshotFolder({ folder });
    await files.write(NAME, [bytes("words")]);
    await writeFile(join(folder, `${NAME}.123.tmp`), "half");
    await writeFile(join(folder, "notes.txt"), "mine");
    expect(await files.names()).toEqual([NAME]);
    expect((await readdir(folder)).sort()).toEqual([`${NAME}.snapshot`, "notes.txt"]);
  });

  test("follows no link", async () => {
    const files = snapshotFolder({ folder });
    await files.write(NAME, [bytes("words")]);
    const other = "b".repeat(64);
    await symlink(join(folder, `${NAME}.snapshot`), join(folder, `${other}.snapshot`));
    await expect(files.read(other)).rejects.toMatchObject({ code: "ELOOP" });
  });

  test.skipIf(process.getuid?.() === 0)("says that it cannot be written, also before it exists", async () => {
    await snapshotFolder({ folder }).requireWritable();
    await chmod(parent, 0o500);
    const refusal = {
      code: "configuration",
      message: expect.stringContaining(`${folder} by this user. Set INDEX_FOLDER`),
    };
    await expect(snapshotFolder({ folder }).requireWritable()).rejects.toMatchObject(refusal);
    await chmod(parent, 0o700);
  });

  test("says that it cannot be written when a file is in its place", async () => {
    await writeFile(folder, "");
    const refusal = { code: "configuration", message: expect.stringContaining("cannot be written") };
    await expect(snapshotFolder({ folder: join(folder, "index") }).requireWritable()).rejects.toMatchObject(refusal);
  });

  test.skipIf(process.getuid?.() === 0)("rejects when it may not be read", async () => {
    const files = snapshotFolder({ folder });
    await files.write(NAME, [bytes("words")]);
    await chmod(folder, 0);
    await expect(files.names()).rejects.toMatchObject({ code: "EACCES" });
    await chmod(folder, 0o700);
  });
});
