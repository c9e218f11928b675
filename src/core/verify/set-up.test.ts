import { expect, test } from "vitest";
import { isPublic, provedBy } from "./set-up.ts";

const SET_UPS = ["local", "localnet", "testnet", "mainnet"].flatMap((network) =>
  (["memory", "walrus"] as const).map((blobs) => ({ network, blobs })),
);

test("only with a public network of Sui and with Walrus can anyone check a receipt", () => {
  const open = SET_UPS.filter(isPublic).map(({ network, blobs }) => `${network} ${blobs}`);
  expect(open).toEqual(["testnet walrus", "mainnet walrus"]);
});

test("the promise that nobody has to be trusted is made there and nowhere else", () => {
  for (const setUp of SET_UPS) {
    const sentence = provedBy(setUp);
    expect(sentence.includes("Anyone can check it, on Sui and Walrus")).toBe(isPublic(setUp));
    expect(sentence.includes("does not protect from the operator")).toBe(setUp.network === "local");
    expect(sentence.includes("The service alone keeps the blobs")).toBe(setUp.blobs === "memory");
  }
});
