import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { type Runs, UsageError } from "#cli/invocation.ts";
import { isKeyName, vkeyOf } from "#core/log/signed-note.ts";
import { parseWitnessPolicy } from "#core/log/witness-policy.ts";
import { createWitness } from "#witness/witness.ts";
import { openWitnessFolder } from "#witness/witness-folder.ts";
import { witnessServer } from "#witness/witness-server.ts";

const DEFAULT_PORT = "8100";

export const runs: Runs<"witness"> = {
  async witness({ positionals: [folder = ""], values, say, tell, signal }) {
    const { name = "", logs: file = "", host = "127.0.0.1", port = DEFAULT_PORT } = values;
    if (!isKeyName(name))
      throw new UsageError("--name is the witness's address without https://, and has no + or space.");
    if (file === "") throw new UsageError("--logs names a file with the logs, each as: log <key>");
    const { logs } = parseWitnessPolicy(`${await readFile(file, "utf8")}\nquorum none`);
    if (logs.length === 0) throw new UsageError(`${file} names no log. A line is: log <key>`);
    const opened = openWitnessFolder(folder, name);
    try {
      const witness = createWitness({ ...opened, logs, now: Date.now });
      const server = witnessServer(witness, (error) => void say(`A request failed: ${(error as Error).message}`));
      server.listen(Number(port), host);
      await once(server, "listening");
      const address = server.address() as AddressInfo;
      const url = `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
      const vkey = vkeyOf(opened.key);
      await tell({ url, vkey, logs: logs.length }, { print: `witness ${name} ${vkey} ${url}` });
      if (!signal.aborted) await once(signal, "abort");
      server.closeAllConnections();
      server.close();
      return 0;
    } finally {
      opened.close();
    }
  },
};
