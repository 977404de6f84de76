import { existsSync, statSync } from 'node:fs';
import type {
  Application,
  Clock,
  ConnectedShop,
  Log,
  EndpointRecord,
  KeptTokens,
} from '../core/ports/index.js';
import type { Transaction } from 'kysely';
import type { Engine } from './engine/engine.js';
import { toEndpoint } from './webhooks/endpoint_columns.js';
import { findEndpoint } from './webhooks/endpoints.js';
import { listStoreFiles } from './engine/sqlite/files.js';
import { isDamage } from './engine/sqlite/integrity.js';
import { inspectDatabase, type DatabaseFacts } from './engine/sqlite/inspect.js';
import type { ServerFacts } from './engine/postgres/inspect.js';
import { readSecrets, type KeySource } from './secrets/master_key.js';
import { listApplications } from './shops/applications.js';
import { listShops } from './shops/shops.js';
import { findTokens } from './shops/tokens.js';
import type { Tables } from './schema.js';

/** A shop as stored. `tokens`: decrypted; undefined if there are none. */
export type InspectedShop = ConnectedShop & { account_name: string; tokens: KeptTokens | undefined };

/** Findings about a data directory, without starting the service on it. */
export type FolderInspection = {
  /** The folder and the files in it that hold secrets; `mode` as in 0o700. */
  modes: { path: string; mode: number }[];
  database:
    | { state: 'missing' }
    | { state: 'damaged'; reason: string }
    | ({
        state: 'sound';
        /** Undefined if it cannot be read: the schema differs, or the key does not fit. */
        content: DatabaseContent | undefined;
        /** Why not. */
        reason: string | undefined;
      } & DatabaseFacts)
    /** A server that cannot be used; the reason is a sentence. */
    | { state: 'refused'; reason: string }
    | ({ state: 'server'; content: DatabaseContent | undefined; reason: string | undefined } & ServerFacts);
};

/** An application that an account brought, decrypted. */
export type InspectedApplication = Application & { account_id: string; account_name: string };

type DatabaseContent = {
  /** The account whose id identifies the installation in file storage. */
  installation_id: string | undefined;
  /** Whether there must already be files. */
  names_files: boolean;
  shops: InspectedShop[];
  applications: InspectedApplication[];
  endpoints: (EndpointRecord & { account_name: string })[];
};

/** The content that was read, if it could be. */
export function getContent({ database }: FolderInspection): DatabaseContent | undefined {
  return 'content' in database ? database.content : undefined;
}

/** Inspects a data directory and its database, even while they are in use, and leaves every byte unchanged. */
export async function inspectFolder(options: {
  data_dir: string;
  master_key: string | undefined;
  /** For a server; left out: the database is in the folder. */
  database?: { url: string; clock: Clock; log: Log } | undefined;
  /** Files in it that are not the store's own. */
  secret_files: readonly string[];
}): Promise<FolderInspection> {
  const files = listStoreFiles(options.data_dir);
  const own = [options.data_dir, files.service, files.rates, files.master_key];
  const named = [...own, ...options.secret_files].filter(existsSync);
  const modes = named.map((path) => ({ path, mode: statSync(path).mode & 0o777 }));
  const source = { master_key: options.master_key, file: files.master_key };
  if (options.database) {
    // The code for servers is only loaded if there is one.
    const { inspectServer } = await import('./engine/postgres/inspect.js');
    const server = await inspectServer(options.database, (reader) => tryReadContent(reader, source));
    return {
      modes,
      database:
        server.state === 'server'
          ? { ...server, content: server.content?.content, reason: server.content?.reason }
          : server,
    };
  }
  if (!existsSync(files.service)) return { modes, database: { state: 'missing' } };
  const database = await inspectDatabase(files.service, (reader) => tryReadContent(reader, source));
  return { modes, database: database.state === 'sound' ? { ...database, ...database.content } : database };
}

async function tryReadContent(
  database: Pick<Engine<Tables>, 'read'>,
  source: KeySource,
): Promise<{ content: DatabaseContent | undefined; reason: string | undefined }> {
  try {
    return { content: await readContent(database, source), reason: undefined };
  } catch (error) {
    if (isDamage(error)) throw error;
    return { content: undefined, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function hasUploads(trx: Transaction<Tables>): Promise<boolean> {
  const row = await trx.selectFrom('uploads').select('upload_id').limit(1).executeTakeFirst();
  return row !== undefined;
}

async function readContent(
  database: Pick<Engine<Tables>, 'read'>,
  source: KeySource,
): Promise<DatabaseContent> {
  const secrets = await database.read((trx) => readSecrets(trx, source));
  const accounts = await database.read((trx) =>
    trx
      .selectFrom('accounts')
      .select(['account_id', 'name', 'created_at', 'is_default'])
      .orderBy('created_at')
      .execute(),
  );
  const content: DatabaseContent = {
    installation_id: accounts.find(({ is_default }) => is_default === 1)?.account_id,
    names_files: await database.read(hasUploads),
    shops: [],
    applications: [],
    endpoints: [],
  };
  for (const { account_id, name: account_name } of accounts) {
    await database.read(async (trx) => {
      for (const application of await listApplications(trx, secrets, account_id)) {
        content.applications.push({ ...application, account_id, account_name });
      }
      for (const shop of await listShops(trx, account_id)) {
        content.shops.push({ ...shop, account_name, tokens: await findTokens(trx, secrets, shop) });
      }
    });
    const endpoint = await database.read((trx) => findEndpoint(trx, account_id));
    if (endpoint) content.endpoints.push({ ...toEndpoint(endpoint, secrets), account_name });
  }
  return content;
}
