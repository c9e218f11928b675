import type { Principal } from "#core/identity/principal.ts";

/** Who calls which route. It is in the `Deps` of a request; commands and work in the background have none. */
export interface Call {
  readonly principal: Principal;
  /** The name of the row of the route table. */
  readonly route: string;
  /** Whether it reads only. */
  readonly reads: boolean;
}
