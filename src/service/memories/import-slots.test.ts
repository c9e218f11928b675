import { expect, test } from "vitest";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import { createImportSlots } from "./capture.ts";

const keyOf = (id: string): Principal => ({
  role: "admin",
  id,
  name: id,
  credential: { kind: "key", keyId: id, keyHash: "" },
});

test("one identity has a few imports in progress, and the service a few more", async () => {
  const slots = createImportSlots({ most: 3, perIdentity: 2, spare: 0 })(1);
  const gate = Promise.withResolvers<void>();
  const wait = () => gate.promise;
  const begun = [slots.run(keyOf("ada"), wait), slots.run(keyOf("ada"), wait)];
  await expect(slots.run(keyOf("ada"), wait)).rejects.toMatchObject({ code: "too-many-requests" });
  begun.push(slots.run(keyOf("bob"), wait));
  await expect(slots.run(keyOf("eve"), wait)).rejects.toMatchObject({ code: "overloaded" });
  gate.resolve();
  await Promise.all(begun);
  await slots.run(keyOf("eve"), async () => undefined);
});

test("an import that fails frees its slot", async () => {
  const slots = createImportSlots({ most: 1, perIdentity: 1, spare: 0 })(1);
  await expect(slots.run(keyOf("ada"), () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  await slots.run(keyOf("ada"), async () => undefined);
});

test("a service without identities has its own bound alone", async () => {
  const slots = createImportSlots({ most: 2, perIdentity: 1, spare: 0 })(1);
  const gate = Promise.withResolvers<void>();
  const begun = [slots.run(OPEN, () => gate.promise), slots.run(OPEN, () => gate.promise)];
  await expect(slots.run(OPEN, async () => undefined)).rejects.toMatchObject({ code: "overloaded" });
  gate.resolve();
  await Promise.all(begun);
});

test("a tenant that takes all slots leaves some to tenants that have none", async () => {
  const slots = createImportSlots({ most: 3, perIdentity: 2, spare: 1 });
  const gate = Promise.withResolvers<void>();
  const wait = () => gate.promise;
  const begun = ["a", "b", "c"].map((id) => slots(1).run(keyOf(id), wait));
  await expect(slots(1).run(keyOf("d"), wait)).rejects.toMatchObject({ code: "overloaded" });
  begun.push(slots(2).run(keyOf("a"), wait));
  await expect(slots(2).run(keyOf("b"), wait)).rejects.toMatchObject({ code: "overloaded" });
  await expect(slots(3).run(keyOf("a"), wait)).rejects.toMatchObject({ code: "overloaded" });
  gate.resolve();
  await Promise.all(begun);
});

test("an identity of all tenants has its imports in each", async () => {
  const slots = createImportSlots({ perIdentity: 1 });
  const gate = Promise.withResolvers<void>();
  const begun = [1, 2].map((tenant) => slots(tenant).run(keyOf("backend"), () => gate.promise));
  await expect(slots(2).run(keyOf("backend"), async () => undefined)).rejects.toMatchObject({
    code: "too-many-requests",
  });
  gate.resolve();
  await Promise.all(begun);
});
