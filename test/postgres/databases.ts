import pg from 'pg';

/** Creates a database as a copy of another, replacing an existing one. */
export async function createDatabase(url: string, name: string, template: string): Promise<void> {
  await ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await ask(url, `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`);
}

/** Even if clients are connected to it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Runs one statement on its own connection. */
export async function ask(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
