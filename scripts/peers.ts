// npm run dev:peers: stand-ins for Walrus and for a language model on loopback, for development by hand.
import { parseArgs } from "node:util";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { startWalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

const HELP = `Starts stand-ins for Walrus and for a language model on loopback, and prints the settings for them.

  npm run dev:peers

They keep everything in memory. Ctrl+C stops them.`;

const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
if (values.help) {
  console.log(HELP);
  process.exit();
}

const [walrus, model] = await Promise.all([
  startWalrusStandIn({ publisherPort: 31415, aggregatorPort: 31416 }),
  startOpenAiStandIn(),
]);

console.log(`These stand-ins keep everything in memory, and their blob ids are not those of Walrus, so a verification with ?deep=1
fails. Start the service with

BLOBSTORE_PUBLISHER=${walrus.publisherUrl}
BLOBSTORE_AGGREGATOR=${walrus.aggregatorUrl}
MODEL_BASE_URL=${model.baseUrl}
MODEL_NAME=stand-in

in its environment or in the file .env. Ctrl+C stops the stand-ins.`);
