// What the gateway costs: requests a second beside a plain proxy to the same provider. Once with a provider that answers at
// once, where all that is measured is work, and once with one that takes as long as a fast model does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { type Served, serveLoad } from "./support/load-generator.ts";
import { CHAT_BODIES } from "./support/questions.ts";
import { type Server, startProvider, startProxy, startServiceWith } from "./support/servers.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 8;
const ROUND_SECONDS = 2;
const MODEL_MS = 200;

const BODIES = CHAT_BODIES.map((body) =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: JSON.parse(body).query }] }),
);
const LOAD = {
  bodies: BODIES,
  path: "/v1/chat/completions",
  connections: CONNECTIONS,
  headers: { authorization: "Bearer agent:assistant" },
};

const COMPLETION = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "Fish on Friday. ".repeat(20) }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 500, completion_tokens: 80, total_tokens: 580 },
};

export const gateway: Benchmark = {
  title: `${CONNECTIONS} connections at the gateway, beside a plain proxy to the same provider`,

  async run(progress) {
    const work = await compare(0, progress);
    const waiting = await compare(MODEL_MS, progress);
    const [instant, slow] = [
      "with a provider that answers at once",
      `with a provider that takes ${MODEL_MS} ms for each answer`,
    ];
    return {
      figures: [...figures("work", instant, work), ...figures("model", slow, waiting, { atLeast: 0.5 })],
      notes: ["The client, the provider and what is measured share the machine's cores."],
    };
  },
};

interface Rounds {
  readonly gateway: Served[];
  readonly proxy: Served[];
}

async function compare(latencyMs: number, progress: Progress): Promise<Rounds> {
  const folder = createTemporaryFolder();
  const servers: Server[] = [];
  const started = async (server: Promise<Server>) => {
    servers.push(await server);
    return server;
  };
  try {
    const file = join(folder, "completion.json");
    writeFileSync(file, JSON.stringify(COMPLETION));
    const provider = await started(startProvider(folder, file, latencyMs));
    const environment = {
      DATABASE_URL: join(folder, "portcullis.db"),
      SEED: "demo",
      MODEL_BASE_URL: `${provider.url}/v1`,
      MODEL_NAME: "m",
    };
    const compared = {
      gateway: await started(startServiceWith(folder, environment, { isLogged: true })),
      proxy: await started(startProxy(folder, provider.url)),
    };
    const rounds: Rounds = { gateway: [], proxy: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ["gateway", "proxy"] as const) {
        progress(`gateway: ${latencyMs} ms, round ${round} of ${ROUNDS}, ${name}`);
        const served = await serveLoad(compared[name], {
          ...LOAD,
          seconds: round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS,
        });
        if (round > 0) rounds[name].push(served);
      }
    }
    return rounds;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function figures(id: string, when: string, { gateway, proxy }: Rounds, aim?: Figure["aim"]): Figure[] {
  const each = (served: readonly Served[], key: "perSecond" | "cpuMicros") =>
    served.flatMap((round) => round[key] ?? []);
  const [speed, plain] = [each(gateway, "perSecond"), each(proxy, "perSecond")];
  return [
    { id: `${id}Gateway`, what: `gateway, ${when}`, unit: "requests/s", rounds: speed },
    { id: `${id}Proxy`, what: `plain proxy, ${when}`, unit: "requests/s", rounds: plain },
    { id: `${id}Ratio`, what: `gateway / proxy, ${when}`, rounds: ratios(speed, plain), ...(aim && { aim }) },
    { id: `${id}Cpu`, what: `gateway CPU per request, ${when}`, unit: "µs", rounds: each(gateway, "cpuMicros") },
    { id: `${id}ProxyCpu`, what: `proxy CPU per request, ${when}`, unit: "µs", rounds: each(proxy, "cpuMicros") },
  ];
}
