// npm run dev:peers: stand-ins for Walrus and for a language model on loopback, for trying things by hand.
import { startOpenAiStandIn } from "#test/support/openai-stand-in/index.ts";
import { startWalrusStandIn } from "#test/support/walrus-stand-in/stand-in.ts";

const [walrus, model] = await Promise.all([
  startWalrusStandIn({ publisherPort: 31415, aggregatorPort: 31416 }),
  startOpenAiStandIn(),
]);

console.log(`Stand-ins, not the real things: what they keep is gone when they end, and blob ids are not derived as Walrus derives
them (a verification with ?deep=1 says so). Start the service with

BLOBSTORE_PUBLISHER=${walrus.publisherUrl}
BLOBSTORE_AGGREGATOR=${walrus.aggregatorUrl}
MODEL_BASE_URL=${model.baseUrl}
MODEL_NAME=stand-in

in its environment or in the file .env. Ctrl+C ends them.`);
