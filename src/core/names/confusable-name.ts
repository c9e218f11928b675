import { visible } from "#core/encoding/visible-text.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { CONFUSABLES, CONFUSABLES_VERSION } from "./confusables.ts";

/** Names of different kinds may look alike. */
export type NameKind = "namespace" | "agent";

/** A new name was refused because it looks like an existing one. Only `forCaller` tells which. */
export class ConfusableNameError extends PortcullisError {
  readonly kind: NameKind;
  readonly given: string;
  readonly #existing: string;

  constructor(
    { kind, name }: { readonly kind: NameKind; readonly name: string },
    existing: string,
    options: Pick<PortcullisError, "cause"> & Partial<Pick<PortcullisError, "fields">> = {},
  ) {
    super("confusable-name", `This ${kind} looks like another one that exists. Choose another name.`, options);
    this.kind = kind;
    this.given = name;
    this.#existing = existing;
  }

  override at(pointer: string): ConfusableNameError {
    const fields = [{ pointer, detail: "looks like another name" }];
    return new ConfusableNameError({ kind: this.kind, name: this.given }, this.#existing, {
      cause: this.cause,
      fields,
    });
  }

  named(): PortcullisError {
    const message = `This ${this.kind} looks like “${visible(this.#existing)}”, which exists. Choose another name, or allow both: \`allowConfusable\` of POST /api/policy.`;
    return new PortcullisError("confusable-name", message, { cause: this.cause, fields: this.fields });
  }
}

/** The error as this caller may see it: the existing name is told to admins only, because others may not know it. */
export const forCaller = ({ role }: Pick<Principal, "role">, error: unknown): unknown =>
  role === "admin" && error instanceof ConfusableNameError ? error.named() : error;

// Skeletons of Unicode Technical Standard #39, section 4: names with equal skeletons look alike. The standard's
// reordering of right-to-left text is left out. Case counts, but capital I, digit 1 and small l have the same skeleton.

/** Skeletons of different versions cannot be compared. Raise the last number when this file changes them. */
export const SKELETON_VERSION = `${CONFUSABLES_VERSION}-1`;

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

let prototypes: ReadonlyMap<string, string> | undefined;

export function skeletonOf(name: string): string {
  prototypes ??= readPrototypes();
  let skeleton = "";
  for (const character of name.normalize("NFD").replace(IGNORABLE, ""))
    skeleton += prototypes.get(character) ?? character;
  return skeleton.normalize("NFD");
}

function readPrototypes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of CONFUSABLES.split(";")) {
    const [target = "", differences = ""] = group.split("=");
    const prototype = target.split("_").map(toCharacter).join("");
    let point = 0;
    for (const difference of differences.split(",")) {
      point += Number.parseInt(difference, 16);
      found.set(String.fromCodePoint(point), prototype);
    }
  }
  return found;
}

const toCharacter = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));
