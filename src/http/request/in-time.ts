import { HttpError } from "#http/http-error.ts";

/** What is read from a client, unless it takes longer than `ms`. */
export async function inTime<T>(reading: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError("malformed-http", "The body takes too long.")), ms);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
