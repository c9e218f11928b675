import { PortcullisError } from "#core/errors.ts";
import type { MemoryCipher } from "#ports.ts";

/** The cipher of a service without a key: it opens nothing, and refuses to seal. */
export const noCipher: MemoryCipher = {
  status: () => "no-key",
  keyIds: () => [],
  takeOver: refuse,
  seal: refuse,
  open: async () => undefined,
  rewrap: refuse,
  sealSeed: refuse,
  openSeed: async (_, seed) => (/^[0-9a-f]*$/.test(seed) ? seed : undefined),
  sealQuestion: refuse,
  openQuestion: async () => undefined,
  drop: () => undefined,
};

async function refuse(): Promise<never> {
  const sentence =
    "The key of sealed namespaces is not set. Set SEAL_KEY, SEAL_KEY_FILE or SEAL_KEY_COMMAND, and start the service again.";
  throw new PortcullisError("seal-key-missing", sentence);
}
