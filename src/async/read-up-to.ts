/**
 * The bytes of a stream whose sender decides on its length; undefined when it has more than `most`. Leaving the loop early
 * closes a connection, so the sender stops.
 */
export async function readUpTo(most: number, chunks: AsyncIterable<Uint8Array> | null): Promise<Buffer | undefined> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks ?? []) {
    length += chunk.length;
    if (length > most) return undefined;
    read.push(chunk);
  }
  return Buffer.concat(read);
}
