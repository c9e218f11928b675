// Reads what a service sends. It may be anybody's: nothing is held beyond a bound, and nothing is nested too deeply.
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import type { Problem } from "#contract/problem.ts";
import { depthOf, MOST_DEPTH } from "#core/encoding/json-depth.ts";
import { readTextUpTo } from "#core/encoding/read-up-to.ts";

/**
 * `unreachable`: no response came. `timeout`: not within the time. `broken-off`: the response ended before its end.
 * `too-large`: it has more than any of this service.
 */
export type ConnectionFault = "unreachable" | "timeout" | "broken-off" | "too-large";

/** What the client throws when the service gave no answer. Whether it carried out the request is not known. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: ConnectionFault;

  constructor(code: ConnectionFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A policy of a hundred thousand rules has some ten MiB, and less than this with the longest names. */
const MOST_BYTES = 64 * 1024 * 1024;
/** In characters, of a line or an event: an answer has a million at most, and its receipt half of that. */
const LONGEST_PIECE = 8 * 1024 * 1024;

const tooLarge = (): ConnectionError =>
  new ConnectionError("too-large", "The response is larger than any of this service.");

/** What the page's own service sends is read whole: Chromium shows what a reader has read as a cancelled request. */
const { location: page } = globalThis as { readonly location?: { readonly origin: string } };
const isOfPage = ({ url }: Response): boolean => page !== undefined && url.startsWith(`${page.origin}/`);

export async function readText(response: Response): Promise<string> {
  // React Native's responses have no body to read from.
  if (response.body === undefined || isOfPage(response)) return response.text();
  const text = await readTextUpTo(MOST_BYTES, response.body);
  if (text === undefined) throw tooLarge();
  return text;
}

export const readJson = async (response: Response): Promise<unknown> => parseJson(await readText(response));

/** What a request may hold comes back in a reply, some levels deeper. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > 2 * MOST_DEPTH) throw tooLarge();
  return JSON.parse(text);
}

export function requireShort(length: number): void {
  if (length > LONGEST_PIECE) throw tooLarge();
}

/** The problem in a response; for a response without one, a proxy's error page for example, a problem that says so. */
export async function readProblem(response: Response): Promise<Problem> {
  if (response.headers.get("content-type")?.startsWith(PROBLEM_TYPE)) return (await readJson(response)) as Problem;
  response.body?.cancel().catch(() => undefined);
  return {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    code: "unexpected-response",
    detail: `The service answered ${response.status} and did not say why.`,
  };
}
