// Listens for changes of the policy that other processes make. Nothing depends on a notification: what must hold is held
// by the fence.
import type { Client, Notification } from "pg";
import { prepareSession } from "#adapters/records/postgres/connection/settings.ts";
import { CHANNEL } from "./statements.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const CHECK_MS = 10_000;

/** Calls `onChange` soon after every change, and whenever one may have been missed, until it is closed. */
export function listenToChanges(newClient: () => Client, onChange: () => void): { close(): void } {
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let current: Client | undefined;

  function listen(): void {
    const client = newClient();
    current = client;
    let isLost = false;
    function reconnect(): void {
      if (isLost || isClosed) return;
      isLost = true;
      clearTimeout(timer);
      void client.end().catch(() => undefined);
      timer = setTimeout(listen, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    /** A connection that died silently looks like one on which nothing happens, so it is checked now and then. */
    function checkLater(): void {
      timer = setTimeout(() => client.query("SELECT").then(checkLater, reconnect), CHECK_MS).unref();
    }
    client.on("error", reconnect);
    client.on("end", reconnect);
    client.on("notification", ({ channel }: Notification) => {
      if (channel === CHANNEL) onChange();
    });
    subscribe(client).then(() => {
      if (isLost || isClosed) return;
      pauseMs = FIRST_PAUSE_MS;
      checkLater();
      onChange();
    }, reconnect);
  }

  listen();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      void current?.end().catch(() => undefined);
    },
  };
}

async function subscribe(client: Client): Promise<void> {
  await client.connect();
  await prepareSession(client);
  await client.query(`LISTEN ${CHANNEL}`);
}
