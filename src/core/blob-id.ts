// Ids that a blob store gives. The specification leaves their form to the store, so that any URL-safe text is one. The
// ids of Walrus, and of the store in memory, are a special case: they follow from the bytes of the blob.

/** As many bytes as the Move module takes. */
const LONGEST = 128;

const URL_SAFE = /^[\w.~=-]+$/;

/** Whether the text can be an id. A path of dots only would mean another resource. */
export const isBlobId = (text: string): boolean => text.length <= LONGEST && URL_SAFE.test(text) && !/^\.+$/.test(text);

const DERIVED = /^[\w-]{43}$/;

/** Whether the id has the form of one that is derived from the bytes: 32 bytes in base64url, without padding. */
export const isDerivedBlobId = (blobId: string): boolean => DERIVED.test(blobId);
