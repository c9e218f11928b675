import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nodeUrl, readSettings, writeSettings } from "./reader-settings.ts";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe("the reader's settings", () => {
  test("are read as they were written, for each base path of its own", () => {
    const settings = { fullNode: "https://node.test", trusted: { packageId: "0x1", gateId: "0x2", keyIds: ["ab"] } };
    writeSettings("/a", settings);
    expect([readSettings("/a"), readSettings("/b")]).toEqual([settings, {}]);
  });

  test.for(["nonsense", "null", "[]", '{"fullNode":"javascript:1","trusted":{"packageId":1,"keyIds":"ab"}}'])(
    "are empty if storage holds %s",
    (text) => {
      stored.set("verify:/", text);
      expect(readSettings("/")).toEqual({});
    },
  );

  test("are empty, and the page works, if the browser refuses storage", () => {
    vi.stubGlobal("localStorage", undefined);
    writeSettings("/", { fullNode: "https://node.test" });
    expect(readSettings("/")).toEqual({});
  });
});

test("a full node is an http or https URL", () => {
  expect(nodeUrl(" https://node.test:443/ ")).toBe("https://node.test");
  expect(nodeUrl("http://127.0.0.1:9000")).toBe("http://127.0.0.1:9000");
  for (const text of ["", "node.test", "javascript:alert(1)", "ftp://node.test"]) expect(nodeUrl(text)).toBeUndefined();
});
