import type { Problem } from "#contract/problem.ts";
import type { ResponseWriter } from "./answer/response-writer.ts";
import type { ClientConnection } from "./edge/client-connection.ts";

export interface Exchange {
  readonly request: Request;
  readonly client: ClientConnection;
  /** In the reply's header, in problems and in the log. */
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly response: ResponseWriter;
  /** The path says that the reply is events, whatever the header Accept says. */
  readonly isEvents?: true;
  /** The error as a problem for the client, with this request's id. */
  problemOf(error: unknown): Problem;
  /** The same; an error that is not the client's fault also goes to the log. */
  reportFailure(error: unknown): Problem;
}

/** Answers a request, on its own or by throwing an error. */
export type Endpoint = (exchange: Exchange) => Promise<void>;
