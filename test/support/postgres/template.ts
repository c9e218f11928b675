// The database that others are copied from: it has the current schema. A copy takes a fifth of the time of all migrations.
import { Client } from "pg";
import { migrate } from "#adapters/records/postgres/connection/migrate.ts";

export const TEMPLATE = "portcullis_template";

// Its collation is that of English and not of bytes, so that tests find a column that lacks its own collation.
export const EMPTY = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";

/** `url` is that of another database of the server, as superuser. */
export async function createTemplate(url: string): Promise<void> {
  const inTemplate = Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href;
  await withClient(url, (client) => client.query(`CREATE DATABASE ${TEMPLATE} ${EMPTY}`));
  await withClient(inTemplate, (client) => migrate(client));
  // A database cannot be copied while somebody is connected to it.
  await withClient(url, (client) => client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`));
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
