const LINE_FEED = 0x0a;

/** The last line of what came before and of these bytes. */
export function lastLineOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const feed = bytes.subarray(0, -1).lastIndexOf(LINE_FEED);
  const isNew = before.at(-1) === LINE_FEED;
  if (feed !== -1) return bytes.slice(feed + 1);
  return isNew ? bytes.slice() : Buffer.concat([before, bytes]);
}
