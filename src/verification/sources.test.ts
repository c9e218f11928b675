import { describe, expect, test } from "vitest";
import { ledgerSourceOf, sourcesOf } from "./sources.ts";

const blobs = { aggregator: "https://aggregator.test" };
const operators = "https://node.operator.test";

describe("the full nodes that the page asks", () => {
  test("are those of its own list on a public network, whatever the operator names", () => {
    const sources = sourcesOf({ ledger: { network: "mainnet", url: operators }, blobs }, undefined);
    expect(sources.fullNodes).toEqual({ urls: ["https://fullnode.mainnet.sui.io"], chosenBy: "page" });
    expect(ledgerSourceOf(sources)).toBe("own-node");
  });

  test("are the reader's if there is one", () => {
    const sources = sourcesOf({ ledger: { network: "mainnet", url: operators }, blobs }, "https://mine.test");
    expect(sources.fullNodes).toEqual({ urls: ["https://mine.test"], chosenBy: "reader" });
    expect(ledgerSourceOf(sources)).toBe("own-node");
  });

  test("are the operator's on a network that the page does not know, and are named as such", () => {
    const sources = sourcesOf({ ledger: { network: "localnet", url: operators }, blobs }, undefined);
    expect(sources.fullNodes).toEqual({ urls: [operators], chosenBy: "operator" });
    expect(ledgerSourceOf(sources)).toBe("operators-node");
  });

  test("are none for the local ledger, also if the reader has chosen one", () => {
    const sources = sourcesOf({ ledger: { network: "local" }, blobs }, "https://mine.test");
    expect(sources.fullNodes).toBeUndefined();
    expect(ledgerSourceOf(sources)).toBe("local");
  });
});
