import { type PublicKey, Signer } from "@mysten/sui/cryptography";
import { Ed25519PublicKey } from "@mysten/sui/keypairs/ed25519";
import { PortcullisError } from "#core/errors.ts";

/** Stands for the owner of a ledger whose key is lost: has its address, and signs nothing. */
export class ReadOnlySigner extends Signer {
  readonly #publicKey: PublicKey;

  constructor(publicKey: Uint8Array) {
    super();
    this.#publicKey = new Ed25519PublicKey(publicKey);
  }

  async sign(): Promise<never> {
    throw new PortcullisError("ledger-refused", "The local ledger is read-only here: its key is lost.");
  }

  getKeyScheme(): "ED25519" {
    return "ED25519";
  }

  getPublicKey(): PublicKey {
    return this.#publicKey;
  }
}
