// The blobs of the network behind the publisher and the aggregator, with their end epochs.
import { blake2b256 } from "#core/encoding/digest.ts";
import type { Knobs } from "./knobs.ts";
import type { Traffic } from "./traffic.ts";

export interface NetworkBlob {
  readonly blobId: string;
  readonly bytes: Uint8Array;
  /** The newest blob object that was registered for these bytes. */
  readonly objectId: string;
  readonly endEpoch: number;
  readonly permanent: boolean;
  /** How many further reads are answered 404. */
  notFounds: number;
}

/** A hash of the content. Walrus itself hashes the erasure-coded blob, which takes seconds. */
export const contentId = (bytes: Uint8Array): string => Buffer.from(blake2b256(bytes)).toString("base64url");

export interface StoreOrder {
  readonly epochs: number;
  readonly permanent: boolean;
  readonly force: boolean;
  readonly reuse: boolean;
}

export interface Network {
  /** `certified` is set when the network had the blob already. */
  store(bytes: Uint8Array, order: StoreOrder): { readonly blob: NetworkBlob; readonly certified?: "event" | "object" };
  find(blobId: string): NetworkBlob | undefined;
  isBlobId(text: string): boolean;
}

/** How a network names blobs. */
export interface Naming {
  readonly blobIdOf: (bytes: Uint8Array) => string;
  readonly isBlobId: (text: string) => boolean;
}

export function createNetwork(knobs: Knobs, traffic: Traffic, { blobIdOf, isBlobId }: Naming): Network {
  const blobs = new Map<string, NetworkBlob>();
  let objects = 0;

  function find(blobId: string): NetworkBlob | undefined {
    const blob = blobs.get(blobId);
    return blob !== undefined && blob.endEpoch > knobs.epoch ? blob : undefined;
  }

  function mint(blobId: string, bytes: Uint8Array, { epochs, permanent }: StoreOrder): NetworkBlob {
    objects += 1;
    traffic.minted += 1;
    const objectId = `0x${objects.toString(16).padStart(64, "0")}`;
    return { blobId, bytes, objectId, endEpoch: knobs.epoch + epochs, permanent, notFounds: knobs.cachedNotFounds };
  }

  return {
    find,
    isBlobId,
    store(bytes, order) {
      const blobId = blobIdOf(bytes);
      const before = find(blobId);
      const livesLongEnough = before !== undefined && before.endEpoch >= knobs.epoch + order.epochs;
      if (before && livesLongEnough && !order.force) {
        if (before.permanent && order.permanent) return { blob: before, certified: "event" };
        if (order.reuse) return { blob: before, certified: "object" };
      }
      const blob = mint(blobId, bytes, order);
      if (before === undefined || before.endEpoch <= blob.endEpoch) blobs.set(blobId, blob);
      return { blob };
    },
  };
}
