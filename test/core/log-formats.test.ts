// Notes, checkpoints, tiles, proofs and policies, against what is published of their formats.
import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkpointText,
  cosignatureOf,
  cosignedAt,
  cosignedBytes,
  parseCheckpoint,
  parseSize,
  proofFile,
  provenCheckpoint,
} from "#core/log/checkpoint.ts";
import { leafHash } from "#core/log/merkle-tree.ts";
import {
  checkSignature,
  KEY_TYPES,
  keyIdOf,
  parseNote,
  parseVkey,
  signatureLine,
  vkeyOf,
} from "#core/log/signed-note.ts";
import { entryBundle, hasTile, parseEntryBundle, parseTilePath, tileOfNode, tilePath } from "#core/log/tiles.ts";
import { parseWitnessPolicy } from "#core/log/witness-policy.ts";
import { parseProofFile } from "#test/support/read-proof-file.ts";

const utf8 = new TextEncoder();
const keyOf = (name: string, type: 1 | 4, seed: number) => {
  const secret = new Uint8Array(32).fill(seed);
  return { key: { name, type, publicKey: ed25519.getPublicKey(secret) } as const, secret };
};
const log = keyOf("log.example/answers", KEY_TYPES.signature, 1);
const witness = keyOf("witness.example/w1", KEY_TYPES.cosignature, 2);
const LOG_VKEY = "log.example/answers+51afe0b6+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";
const WITNESS_VKEY = "witness.example/w1+df1c0a35+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU";
const PROOF = `c2sp.org/tlog-proof@v1
index 5
vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=

log.example/answers
8
XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

— log.example/answers Ua/gtqV3F4wIw3HYxk20sZU5FBWq0H03KZ9XKYTrak2Rp9W5/X39Hl/eFuU1WOv/Avh1IPBqWG3Gf4+qPR9r1y3fAQc=
— witness.example/w1 3xwKNQAAAABlU/EAzYjzw2JgVeieSzcD2ORM6r1+DAAgeaR/JW0C1Oo6Z6hQRxEOGUKyiSebra5aAc8LgZt/Uw7FUXoNyDXxtqFUBQ==
`;
const CHECKPOINT = PROOF.slice(PROOF.indexOf("\n\n") + 2);
const checkpoint = parseCheckpoint(CHECKPOINT) ?? expect.fail("malformed");

describe("signed notes", () => {
  const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
  const VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

  test("the example of the specification is signed by its key", () => {
    const key = parseVkey(VKEY) ?? expect.fail("malformed");
    const note = parseNote(EXAMPLE) ?? expect.fail("malformed");
    expect(keyIdOf(key)).toBe("530d903a");
    expect(vkeyOf(key)).toBe(VKEY);
    expect(note.text).toBe("This is an example message.\n");
    expect(checkSignature(note, key)).toBe("valid");
    expect(checkSignature({ ...note, text: "Another message.\n" }, key)).toBe("invalid");
    expect(checkSignature(note, log.key)).toBe("missing");
  });

  test("malformed ones are refused", () => {
    const malformed = [
      "",
      "text\n",
      "\n\n— a AAAAAAA=\n",
      EXAMPLE.slice(0, -1),
      EXAMPLE.replace("—", "-"),
      EXAMPLE.replace("example message", "example\u0000message"),
      EXAMPLE.replace("example message", "example\tmessage"),
      EXAMPLE.replace("aQM=", "aQM"),
      EXAMPLE.replace("aQM=", "aQN="),
      EXAMPLE.replace("foo Uw", "foo  Uw"),
      EXAMPLE.replace(/Uw.*=/, "AAAAAA=="),
      `${EXAMPLE}\n`,
      EXAMPLE.replace("\n\n", `\n\n${"— a AAAAAAA=\n".repeat(64)}`),
      EXAMPLE.replace("example message", "\ud800"),
    ];
    for (const note of malformed) expect(parseNote(note), note).toBeUndefined();
    expect(parseNote(EXAMPLE.replace("\n\n", "\n\nmore\n\n"))?.text).toBe("This is an example message.\n\nmore\n");
  });

  test("malformed keys are refused", () => {
    const [name, id, key = ""] = VKEY.split("+");
    for (const vkey of [
      "",
      `${name}+530d903b+${key}`,
      `${name}+${id}`,
      `a b+${id}+${key}`,
      `+${id}+${key}`,
      `${name}+${id}+${key.slice(0, -4)}`,
      `${name}+${id}+BB${key.slice(2)}`,
    ])
      expect(parseVkey(vkey), vkey).toBeUndefined();
  });
});

describe("checkpoints", () => {
  test("are what the known keys have signed", () => {
    expect([vkeyOf(log.key), vkeyOf(witness.key)]).toEqual([LOG_VKEY, WITNESS_VKEY]);
    expect(checkpoint).toMatchObject({ origin: "log.example/answers", size: 8 });
    expect(checkSignature(checkpoint.note, log.key)).toBe("valid");
    expect(cosignedAt(checkpoint.note, witness.key)).toBe(1_700_000_000);
    const { text } = checkpoint.note;
    expect(checkpointText(checkpoint)).toBe(text);
    const line = signatureLine(log.key, ed25519.sign(utf8.encode(text), log.secret));
    const cosignature = ed25519.sign(cosignedBytes(text, 1_700_000_000), witness.secret);
    expect(`${text}\n${line}${signatureLine(witness.key, cosignatureOf(1_700_000_000, cosignature))}`).toBe(CHECKPOINT);
  });

  test("malformed ones are refused, and a cosignature of another text or time is none", () => {
    for (const [from, to] of [
      ["\n8\n", "\n08\n"],
      ["\n8\n", "\n-8\n"],
      ["\n8\n", "\n9007199254740993\n"],
      ["gQyg=", "gQyg=="],
      ["XcnaeacG", "Xcna"],
      ["log.example/answers\n8", "\n8"],
      ["gQyg=\n", "gQyg=\n\nmore\n"],
    ] as const)
      expect(parseCheckpoint(CHECKPOINT.replace(from, to)), to).toBeUndefined();
    expect(parseCheckpoint(CHECKPOINT.replace("gQyg=\n", "gQyg=\nmore\n"))?.size).toBe(8);
    const other = parseCheckpoint(CHECKPOINT.replace("\n8\n", "\n7\n")) ?? expect.fail("malformed");
    expect(cosignedAt(other.note, witness.key)).toBeUndefined();
    const later = parseCheckpoint(CHECKPOINT.replace("AABlU/EA", "AABlU/EB")) ?? expect.fail("malformed");
    expect(cosignedAt(later.note, witness.key)).toBeUndefined();
    expect(cosignedAt(checkpoint.note, log.key)).toBeUndefined();
    expect(["0", "12", "00", "1e3", " 1", ""].map(parseSize)).toEqual([0, 12, ...Array(4).fill(undefined)]);
  });
});

describe("proof files", () => {
  const leaf = leafHash(Uint8Array.of(0x40, 0x41, 0x42, 0x43));

  test("lead from the leaf to the checkpoint", () => {
    const proof = parseProofFile(PROOF) ?? expect.fail("malformed");
    expect(proofFile(proof)).toBe(PROOF);
    expect(provenCheckpoint(leaf, proof)?.size).toBe(8);
    expect(provenCheckpoint(leafHash(Uint8Array.of(1)), proof)).toBeUndefined();
    expect(parseProofFile(PROOF.replace("index", "extra AAAA\nindex"))).toEqual(proof);
  });

  test("malformed ones are refused", () => {
    for (const [from, to] of [
      ["@v1", "@v2"],
      ["index 5", "index 05"],
      ["index 5\n", ""],
      ["Znms=", "Znms"],
      ["index 5", `index 5${"\nAAAA".repeat(64)}`],
    ] as const)
      expect(parseProofFile(PROOF.replace(from, to)), to).toBeUndefined();
    expect(parseProofFile("")).toBeUndefined();
  });
});

describe("tiles", () => {
  test("have the paths of the specification, and no others", () => {
    const cases = [
      [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
      [{ level: 3, index: 5, width: 256 }, "tile/3/005"],
      [{ level: 0, index: 1_000, width: 7 }, "tile/0/x001/000.p/7"],
      [{ level: "entries", index: 0, width: 1 }, "tile/entries/000.p/1"],
    ] as const;
    for (const [ref, path] of cases) {
      expect(tilePath(ref)).toBe(path);
      expect(parseTilePath(path)).toEqual(ref);
    }
    for (const path of [
      "tile/00/005",
      "tile/64/005",
      "tile/0/5",
      "tile/0/x000/005",
      "tile/0/005.p/0",
      "tile/0/005.p/256",
      "tile/0/005.p/01",
      "tile/data/005",
      "tile/0/005/",
      "../tile/0/005",
    ])
      expect(parseTilePath(path), path).toBeUndefined();
  });

  test("are those of a log of 70,000 entries", () => {
    const has = (level: TileLevel, index: number, width = 256) => hasTile(70_000, { level, index, width });
    expect([has(0, 272), has(0, 273), has(0, 273, 112), has(0, 273, 113)]).toEqual([true, false, true, false]);
    expect([has(1, 0), has(1, 1, 17), has(1, 1, 18), has(2, 0, 1), has(2, 0, 2)]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect([has("entries", 273, 112), has("entries", 273, 113), has("entries", 274, 1)]).toEqual([true, false, false]);
    expect(tileOfNode(0, 69_999)).toEqual({ level: 0, number: 273, above: 0, place: 111 });
    expect(tileOfNode(9, 130)).toEqual({ level: 1, number: 1, above: 1, place: 2 });
  });

  test("bundles give back their entries", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 256 }), (entries) => {
        expect(parseEntryBundle(entryBundle(entries))).toEqual(entries);
      }),
      { numRuns: 20 },
    );
    for (const bundle of [Uint8Array.of(0), Uint8Array.of(0, 2, 1), new Uint8Array(2 * 257)])
      expect(parseEntryBundle(bundle)).toBeUndefined();
  });
});

type TileLevel = number | "entries";

describe("policies of witnesses", () => {
  const third = vkeyOf(keyOf("witness.example/w3", KEY_TYPES.cosignature, 4).key);
  const second = vkeyOf(keyOf("witness.example/w2", KEY_TYPES.cosignature, 3).key);
  const START = `# Our log.\nlog ${LOG_VKEY} https://log.example/answers\nwitness w1 ${WITNESS_VKEY}\nwitness w2 ${second}\n`;

  test.for([
    ["quorum w1", true],
    ["quorum w2", false],
    ["group both all w1 w2\nquorum both", false],
    ["group one any w1 w2\nquorum one", true],
    ["group two 2 w1 w2\nquorum two", false],
    [`witness w3 ${third}\ngroup a any w1 w2\ngroup b all a w3\nquorum b`, false],
    ["quorum none", true],
  ] as const)("%s", ([lines, isAccepted]) => {
    expect(parseWitnessPolicy(START + lines).accepts(checkpoint)).toBe(isAccepted);
    const unsigned = parseCheckpoint(CHECKPOINT.replace("\n8\n", "\n7\n")) ?? expect.fail("malformed");
    expect(parseWitnessPolicy(START + lines).accepts(unsigned)).toBe(false);
  });

  test.for([
    ["", "has no line quorum"],
    ["quorum w9", "there is no w9 above"],
    ["quorum w1\nquorum w2", "Line 6 of the policy: there is another quorum above."],
    ["group g 3 w1 w2", "a group needs"],
    ["group g any", "a group needs"],
    ["group a any w1\ngroup b any w1", "w1 is a member of two groups"],
    [`witness w4 ${WITNESS_VKEY}`, "this key is there twice"],
    [`witness w4 ${LOG_VKEY}`, "not a key of the kind"],
    ["constructor x", "a line begins with"],
  ] as const)("%s is refused", ([lines, message]) => {
    expect(() => parseWitnessPolicy(START + lines)).toThrow(message);
  });
});
