/** Checks tokens of the operator's identity provider. Does not decide what a token's holder may do. */
export interface TokenVerifier {
  /** Undefined for a token that does not hold now. Rejects with `issuer-unavailable` without the issuer's keys. */
  verify(token: string, now: Date): Promise<VerifiedToken | undefined>;
}

export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly expiresAt: string;
  /** As they stand in the token: of any type, or absent. */
  readonly claims: {
    readonly role?: unknown;
    readonly agent?: unknown;
    readonly namespaces?: unknown;
    readonly tenant?: unknown;
  };
}
