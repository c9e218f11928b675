// A bundle: one JSON file with all that a verification of one answer asks for, as the ledger and the stores answered. It is
// verified offline, by the same code as an answer of the network. docs/proof.md describes it for other verifiers.
import { orUndefined } from "#core/defined.ts";
import { canonicalJson, isShallow } from "#core/encoding/canonical-json.ts";
import * as shape from "#core/encoding/json-shape.ts";
import { bytesOf, toBase64 } from "#core/log/base64.ts";
import { anchoredIn } from "#core/verify/checks/log.ts";
import type { Fetched, FetchedObject, LogToJudge, PolicyHolder, TrustedIds } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import { type Fetchers, observeReceipt } from "./observe.ts";

const FORMAT = "portcullis/bundle/v1";
export const LARGEST_BUNDLE = 16 * 1024 * 1024;
const DEEPEST = 64;

const base64 = shape.string((text) =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? undefined : "must be base64",
);
const object = shape.exactFields(
  {
    objectId: shape.anyString,
    type: shape.anyString,
    owner: shape.oneOf("immutable", "shared", "other"),
    content: base64,
    previousTransaction: shape.orNull(shape.anyString),
  },
  { bcs: base64, digest: shape.anyString },
);
/** Bytes are in base64. What is null was asked for, and is not there; what is absent was not answered. */
const bundleShape = shape.exactFields(
  {
    format: shape.oneOf(FORMAT),
    network: shape.anyString,
    packageId: shape.anyString,
    objects: shape.everyMember(shape.orNull(object)),
    blobs: shape.everyMember(shape.orNull(base64)),
    tombstones: shape.everyMember(shape.anything),
  },
  {
    /** Of an answer that is anchored. */
    receiptId: shape.matching(/^0x[0-9a-f]{64}$/, "0x and 64 hex digits"),
    /** In its place: a receipt, open or sealed, that is not. */
    receipt: shape.anything,
    policyHolder: shape.oneOf("signer", "another"),
    /** An opening document. */
    opening: shape.anything,
    /** A proof that the receipt is in the transparency log. */
    log: shape.anything,
    /** For people, and for years to come: no check reads these. */
    transactions: shape.anything,
    keys: shape.anything,
    templates: shape.anything,
  },
);

export type Bundle = shape.Shaped<typeof bundleShape>;
type BundledObject = shape.Shaped<typeof object>;

export const looksBundled = (value: unknown): boolean =>
  shape.fits(shape.fields({ format: shape.oneOf(FORMAT) }), value);

/** The fault is for people. */
export function readBundle(value: unknown): { readonly bundle: Bundle } | { readonly fault: string } {
  if (!isShallow(value, DEEPEST)) return { fault: `it is nested more than ${DEEPEST} deep` };
  const fault = bundleShape(value);
  if (fault !== undefined) return { fault: shape.faultText(fault) };
  const bundle = value as Bundle;
  if ("receipt" in bundle === "receiptId" in bundle) return { fault: "it must have a receiptId, or a receipt" };
  return { bundle };
}

interface BundleOptions extends Omit<LogToJudge, "proof"> {
  readonly trusted?: TrustedIds | undefined;
  readonly now?: () => number;
}

export async function verifyBundle(bundle: Bundle, { trusted, now, ...judging }: BundleOptions = {}) {
  const { receiptId = "", opening, log: proof } = bundle;
  // What has no canonical form is no opening, and no receipt. An empty text is none either.
  const textOf = (value: unknown) => orUndefined(() => canonicalJson(value)) ?? "";
  const fetchers = { ...bundleFetchers(bundle), ...(now && { now }) };
  const observed = await observeReceipt(receiptId, fetchers, {
    ...(opening !== undefined && { opening: textOf(opening) }),
    ...("receipt" in bundle && { unanchored: new TextEncoder().encode(textOf(bundle.receipt)) }),
    ...(trusted && { trusted }),
  });
  const anchoredId = anchoredIn(proof);
  const anchored = anchoredId === undefined ? undefined : await fetchers.object(anchoredId);
  return verifyReceipt({ ...observed, log: { ...judging, proof, anchored } });
}

function bundleFetchers({ packageId, objects, blobs, tombstones, policyHolder }: Bundle): Fetchers {
  return {
    packageId: async () => packageId,
    object: async (id) =>
      found(objects, id, ({ content, bcs, digest, ...object }) => ({
        ...object,
        content: bytesOf(content),
        bcs: bcs === undefined ? undefined : bytesOf(bcs),
        digest,
      })),
    blob: async (id) => found(blobs, id, bytesOf),
    tombstone: async (memoryId) => (Object.hasOwn(tombstones, memoryId) ? tombstones[memoryId] : undefined),
    policyHolder: async () => policyHolder ?? "unreachable",
  };
}

function found<T, R>(held: Readonly<Record<string, T | null>>, id: string, read: (value: T) => R) {
  const value = Object.hasOwn(held, id) ? held[id] : undefined;
  return value === undefined ? "unreachable" : value === null ? "missing" : read(value);
}

type Told = Pick<Bundle, "receiptId" | "receipt" | "network" | "opening" | "log" | "keys" | "templates">;

/** Fetches what a verification asks for, and keeps every answer. */
export async function fetchBundle(fetchers: Fetchers, told: Told): Promise<Bundle | undefined> {
  const { receiptId = "", receipt, opening } = told;
  const objects = new Map<string, BundledObject | null>();
  const blobs = new Map<string, string | null>();
  const tombstones = new Map<string, unknown>();
  const holders: PolicyHolder[] = [];
  const packageId = await fetchers.packageId();
  if (packageId === undefined) return undefined;
  const asked: Fetchers = {
    packageId: async () => packageId,
    object: keeping(fetchers.object, objects, bundled),
    blob: keeping(fetchers.blob, blobs, toBase64),
    async tombstone(memoryId) {
      const answer = await fetchers.tombstone?.(memoryId);
      if (answer !== undefined) tombstones.set(memoryId, answer);
      return answer;
    },
    async policyHolder(anchor) {
      const answer = await fetchers.policyHolder?.(anchor);
      if (answer === "signer" || answer === "another") holders.push(answer);
      return answer;
    },
  };
  const anchoredId = anchoredIn(told.log);
  if (anchoredId !== undefined) await asked.object(anchoredId);
  await observeReceipt(receiptId, asked, {
    ...(opening !== undefined && { opening: canonicalJson(opening) }),
    ...(receipt !== undefined && { unanchored: new TextEncoder().encode(canonicalJson(receipt)) }),
  });
  const [policyHolder] = holders;
  const frozen = [...objects.values()].filter((each) => each?.owner === "immutable");
  const digests = new Set(frozen.flatMap((each) => each?.previousTransaction ?? []));
  const transactions = await Promise.all(
    [...digests].map(async (digest) => [digest, await fetchers.transaction?.(digest)] as const),
  );
  return {
    format: FORMAT,
    packageId,
    objects: Object.fromEntries(objects),
    blobs: Object.fromEntries(blobs),
    tombstones: Object.fromEntries(tombstones),
    ...(policyHolder !== undefined && { policyHolder }),
    transactions: Object.fromEntries(transactions.filter(([, answer]) => answer !== undefined)),
    ...told,
  };
}

const keeping =
  <T extends object, K>(ask: (id: string) => Promise<Fetched<T>>, kept: Map<string, K | null>, encode: (one: T) => K) =>
  async (id: string): Promise<Fetched<T>> => {
    const answer = await ask(id);
    if (answer !== "unreachable") kept.set(id, answer === "missing" ? null : encode(answer));
    return answer;
  };

function bundled({ objectId, type, owner, content, bcs, digest, previousTransaction }: FetchedObject): BundledObject {
  const whole = { ...(bcs !== undefined && { bcs: toBase64(bcs) }), ...(digest !== undefined && { digest }) };
  return { objectId, type, owner, content: toBase64(content), ...whole, previousTransaction };
}
