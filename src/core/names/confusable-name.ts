import { visible } from "#core/encoding/visible-text.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";

/** Names of different kinds may look alike. */
export type NameKind = "namespace" | "agent";

/** A new name was refused because it looks like an existing one. Only `forCaller` tells which. */
export class ConfusableNameError extends PortcullisError {
  readonly #kind: NameKind;
  readonly #existing: string;

  constructor(kind: NameKind, existing: string, cause?: unknown) {
    super("confusable-name", `This ${kind} looks like another one that exists. Choose another name.`, { cause });
    this.#kind = kind;
    this.#existing = existing;
  }

  named(): PortcullisError {
    const message = `This ${this.#kind} looks like “${visible(this.#existing)}”, which exists. Choose another name.`;
    return new PortcullisError("confusable-name", message, { cause: this.cause });
  }
}

/** The error as this caller may see it: the existing name is told to admins only, because others may not know it. */
export function forCaller({ role }: Pick<Principal, "role">, error: unknown): unknown {
  return role === "admin" && error instanceof ConfusableNameError ? error.named() : error;
}
