// The last checkpoint, apart from the database: nobody is given one that is not there.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { receipt } from "#test/suites/records/samples.ts";
import { directoryForTest } from "#test/support/service.ts";

/** A log over one file, and what its process keeps. `isFull`: there is no room for it. */
async function logs() {
  const records = sqliteRecords({ path: join(await directoryForTest(), "records.db"), serves: true });
  onTestFinished(() => records.close());
  const disk: { note?: string; isFull: boolean } = { isFull: false };
  const published = {
    read: () => disk.note,
    write(note: string) {
      if (disk.isFull) throw new Error("ENOSPC");
      disk.note = note;
    },
  };
  return { records, disk, process: () => createTransparencyLog(records, { origin: "log.test/kept", published }) };
}

test("a checkpoint that could not be kept is given to nobody, until it is", async () => {
  const { records, disk, process } = await logs();
  const log = process();
  await log.sequence();
  await records.receipts.begin(receipt(1));
  disk.isFull = true;
  await expect(log.sequence()).rejects.toThrow("ENOSPC");
  await expect(log.published()).rejects.toThrow("ENOSPC");
  disk.isFull = false;
  expect((await log.published()).note).toBe(disk.note);
});

test("a checkpoint that another process signed, and was killed, is kept before it is given to anyone", async () => {
  const { records, disk, process } = await logs();
  await process().sequence();
  await records.receipts.begin(receipt(1));
  disk.isFull = true;
  await expect(process().sequence()).rejects.toThrow("ENOSPC");
  disk.isFull = false;
  expect((await process().published()).note).toBe(disk.note);
});
