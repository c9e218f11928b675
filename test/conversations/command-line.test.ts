// `portcullis learn`, by its own entry.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { portcullis } from "#test/support/portcullis.ts";
import { serviceForTest } from "#test/support/service.ts";
import { temporaryFolder } from "#test/support/temporary-folder.ts";

test("learn reads a long conversation in parts, proposes or stores its facts, and refuses what is none", async () => {
  const { url, client } = await serviceForTest({ environment: { SEED: "none" } });
  const file = join(temporaryFolder(), "chat.json");
  const said = (content: string) => ({ role: "user", content });
  const chat = [{ role: "system", content: "Be kind." }, ...Array(70).fill(said("Hello!")), said("I live in Porto.")];
  writeFileSync(file, JSON.stringify({ messages: chat }));
  const learn = (...more: string[]) =>
    portcullis(["learn", file, "--agent", "a", "--namespace", "home", ...more], { url });

  const proposed = await learn();
  expect([proposed.code, proposed.out]).toEqual([0, "home\t0.85\t70\tThe user lives in Porto.\t\n"]);
  expect(proposed.err).toContain(
    "1 proposed, and nothing is stored; 0 known already, 0 left out. By portcullis-rules-1.",
  );
  expect(proposed.err).toContain("1 messages of other roles were not read.");
  expect((await client.listMemories()).memories).toEqual([]);

  const stored = JSON.parse((await learn("--mode", "store", "--json")).out);
  expect(stored).toMatchObject({ proposals: [{ memoryId: expect.any(String), derivedFrom: [70] }], known: 0 });
  expect(stored.receipts).toHaveLength(2);
  expect((await client.listMemories()).memories).toHaveLength(1);

  // Of two namespaces the rules choose none without a reason.
  const unclear = await learn("--namespace", "other");
  expect(unclear.err).toContain("1 left out");
  expect(unclear.err).toContain("What fits no namespace goes to --default <name>.");

  expect(await portcullis(["learn", `${file}x`], { url })).toMatchObject({
    code: 1,
    err: `learn: There is no file ${file}x.\n`,
  });

  writeFileSync(file, "Hello!");
  expect(await learn()).toMatchObject({ code: 2, err: expect.stringContaining("must be JSON") });
});
