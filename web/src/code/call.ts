// One call of the service, which the app shows as curl, as a call of the typed client, and as a command.
import type { RouteName } from "#contract/paths.ts";
import type { Body, Params, Query } from "#contract/routes.ts";

/** What a route is given. */
export interface CallInput<N extends RouteName = RouteName> {
  readonly params?: Params<N>;
  readonly query?: Query<N>;
  readonly body?: Body<N>;
}

export interface Call {
  readonly route: RouteName;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** Where the service is, and whether it asks who is calling. */
export interface Target {
  readonly baseUrl: string;
  readonly hasIdentities: boolean;
}
