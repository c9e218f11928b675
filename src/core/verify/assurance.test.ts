import { expect, test } from "vitest";
import { assuranceOf, isPublic } from "./assurance.ts";

const SET_UPS = ["local", "localnet", "testnet", "mainnet"].flatMap((network) =>
  (["memory", "walrus"] as const).map((blobs) => ({ network, blobs })),
);

test("only with a public network of Sui and with Walrus can anyone check a receipt", () => {
  const open = SET_UPS.filter(isPublic).map(({ network, blobs }) => `${network} ${blobs}`);
  expect(open).toEqual(["testnet walrus", "mainnet walrus"]);
});

test("the promise that nobody has to be trusted is made there and nowhere else", () => {
  for (const deployment of SET_UPS) {
    const sentence = assuranceOf(deployment);
    expect(sentence.includes("Anyone can check it, on Sui and Walrus")).toBe(isPublic(deployment));
    expect(sentence.includes("does not protect from the operator")).toBe(deployment.network === "local");
    expect(sentence.includes("The service alone keeps the blobs")).toBe(deployment.blobs === "memory");
  }
});
