import { digestOf } from "#core/encoding/digest.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import type { Principal } from "#core/identity/principal.ts";
import { roleOfClaims } from "#core/identity/token-role.ts";
import type { VerifiedToken } from "#ports.ts";

/** 128 bits of the digest tell any two subjects apart. */
const ID_DIGITS = 32;

/** The caller that a token names. Throws `forbidden` when its claims name no role. */
export function principalOfToken({ issuer, subject, expiresAt, claims }: VerifiedToken): Principal {
  const id = `token:${digestOf([issuer, subject]).slice(0, ID_DIGITS)}`;
  const name = nameFault(subject) === undefined ? subject : id;
  return { ...roleOfClaims(claims), id, name, credential: { kind: "token", expiresAt } };
}
