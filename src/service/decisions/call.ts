import type { Principal } from "#core/identity/principal.ts";

/** Who calls which route. It is in the `Deps` of a request; commands and work in the background have none. */
export interface Call {
  readonly principal: Principal;
  /** The name of the row of the route table. */
  readonly route: string;
  /** The id that the reply and the log have, to look the request up. Left out where there is no request of its own. */
  readonly requestId?: string | undefined;
  /** Whether it reads only. */
  readonly reads: boolean;
  /** Is told what the gate decided at this door, for the metrics. */
  readonly onDecided?: ((outcome: GateOutcome) => void) | undefined;
}

/** An agent may use something, may use nothing at all, or its caller was refused. */
export type GateOutcome = "allowed" | "blocked" | "refused";
