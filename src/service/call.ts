import type { Principal } from "#core/identity/principal.ts";

/** What one request has: who calls, which route, and for how long. Work in the background has none. */
export interface Call {
  readonly principal: Principal;
  /** The name of the row of the route table. Absent for commands: what they do is not in the decision log. */
  readonly route?: string | undefined;
  /** The id that the reply and the log have, to look the request up. Left out where there is no request of its own. */
  readonly requestId?: string | undefined;
  readonly reads?: boolean;
  /** Aborts when the client goes away before the reply is complete. */
  readonly signal?: (() => AbortSignal) | undefined;
  /** Is told what the gate decided for this operation, for the metrics. */
  readonly onDecided?: ((outcome: GateOutcome) => void) | undefined;
}

/** An agent may use something, may use nothing at all, or its caller was refused. */
export type GateOutcome = "allowed" | "blocked" | "refused";
