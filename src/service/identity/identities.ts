/** How callers say who they are. */
export interface Identities {
  /** With keys of this service, and sessions of its app. */
  readonly keys: boolean;
  /** With tokens of this issuer, for this audience. */
  readonly tokens?: { readonly issuer: string; readonly audience: string };
}
