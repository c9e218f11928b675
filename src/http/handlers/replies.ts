// What handlers share: pages with a cursor, replies behind the fence, and long lists in pieces.
import type { RouteName } from "#contract/paths.ts";
import type { Query } from "#contract/routes.ts";
import { compressed, jsonReply, takesGzip } from "#http/answer/reply.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Input, Value } from "#http/route-handler.ts";
import { type Readable, readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";

export const DEFAULT_PAGE = 100;

export const pageOf = ({ limit = DEFAULT_PAGE, cursor }: Query<"ledgerTransactions">) => ({
  limit,
  before: cursor === undefined ? undefined : Number(cursor),
});

export const nextCursor = (next: number | string | undefined): { nextCursor?: string } =>
  next === undefined ? {} : { nextCursor: String(next) };

/** A page of a service as the API has it. */
export const paged = <P extends object>({ next, ...page }: P & { readonly next?: number | undefined }) => ({
  ...page,
  ...nextCursor(next),
});

/** A handler whose reply quotes memories. What `load` reads leaves behind the fence. */
export const behindFence =
  <N extends RouteName>(load: (tenant: Tenant, input: Input<N>) => Promise<Readable<Value<N>>>) =>
  async (tenant: Tenant, input: Input<N>, { request, response }: Exchange): Promise<void> => {
    await response.turn();
    const isZipped = request.method === "GET" && takesGzip(request);
    // While the client reads, the bytes are held, and not the records.
    const read = async () => {
      const { value, quoted } = await load(tenant, input);
      return { value: await compressed(jsonReply(value), isZipped), quoted };
    };
    await readBehindFence(tenant, input.principal, read, (reply, lost) =>
      takenBehindFence(response, lost, () => response.send(reply)),
    );
  };

/** One long list as JSON, in pieces. `opening` is all up to the bracket that begins the list, which ends the object, too. */
export async function* jsonList(
  opening: string,
  pages: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
): AsyncGenerator<string> {
  let next = opening;
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield next + joinedJson(items);
    next = ",";
  }
  yield closingOf(next);
}

export const joinedJson = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join(",");

/** What ends the list. `next` is what another item would have begun with: the opening, if there was none. */
export const closingOf = (next: string): string => (next === "," ? "]}" : `${next}]}`);
