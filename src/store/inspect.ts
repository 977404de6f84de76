import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { Account, ConnectedShop, EndpointRecord, ShopTokens } from '../core/ports/index.js';
import type { Engine } from './engine/engine.js';
import { createReader } from './engine/sqlite/engine.js';
import { toEndpoint } from './webhooks/endpoint_columns.js';
import { findEndpoint } from './webhooks/endpoints.js';
import { listStoreFiles } from './engine/sqlite/files.js';
import { isDamage, listDamage } from './engine/sqlite/integrity.js';
import { getKnownVersion } from './engine/sqlite/migrate.js';
import { readSecrets } from './secrets/master_key.js';
import { SERVICE_SCHEMA } from './migrations/sqlite/schema.js';
import { findLastRestore, type Restore } from './engine/sqlite/restores.js';
import { listShops } from './shops/shops.js';
import { openSqlite } from './engine/sqlite/sqlite.js';
import { findTokens } from './shops/tokens.js';
import type { Tables } from './schema.js';

/** A shop as it is stored. `tokens`: unsealed; undefined where none are kept. */
export type InspectedShop = ConnectedShop & { account_name: string; tokens: ShopTokens | undefined };

/** What is found in a data directory without starting on it. */
export type FolderInspection = {
  /** The folder and the files in it that hold secrets; `mode` as in 0o700. */
  modes: { path: string; mode: number }[];
  database:
    | { state: 'missing' }
    | { state: 'damaged'; reason: string }
    | {
        state: 'sound';
        schema_version: number;
        known_version: number;
        journal_mode: string;
        sqlite_version: string;
        /** Undefined when no backup was ever put in its place. */
        restore: Restore | undefined;
        /** Undefined when they cannot be read: the schema is another one, or the key does not fit. */
        content: DatabaseContent | undefined;
        /** Why not. */
        reason: string | undefined;
      };
};

type DatabaseContent = { shops: InspectedShop[]; endpoints: (EndpointRecord & { account_name: string })[] };

/** Looks at a data directory, also while it is in use, and leaves every byte as it was. */
export async function inspectFolder(options: {
  data_dir: string;
  master_key: string | undefined;
  /** Those in it that are not the store's own. */
  secret_files: readonly string[];
}): Promise<FolderInspection> {
  const files = listStoreFiles(options.data_dir);
  const own = [options.data_dir, files.service, files.rates, files.master_key];
  const named = [...own, ...options.secret_files].filter(existsSync);
  const modes = named.map((path) => ({ path, mode: statSync(path).mode & 0o777 }));
  if (!existsSync(files.service)) return { modes, database: { state: 'missing' } };
  const copied = copyAtRest(files.service);
  try {
    const file = copied === undefined ? files.service : join(copied, 'service.db');
    const source = { master_key: options.master_key, file: files.master_key };
    return { modes, database: await inspectDatabase(file, source) };
  } finally {
    if (copied !== undefined) rmSync(copied, { recursive: true, force: true });
  }
}

/**
 * A reader of a database at rest would leave a -wal and a -shm beside it, so it reads a copy; one that is in use has them,
 * and is read where it is. Answers the folder of the copy.
 */
function copyAtRest(file: string): string | undefined {
  if (existsSync(`${file}-wal`)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'listing-service-look-'));
  copyFileSync(file, join(folder, 'service.db'));
  return folder;
}

type KeySource = Parameters<typeof readSecrets>[1];

async function inspectDatabase(file: string, source: KeySource): Promise<FolderInspection['database']> {
  const sqlite = openSqlite(file, { readonly: true, fileMustExist: true });
  const database = createReader<Tables>(sqlite);
  try {
    const damage = listDamage(sqlite);
    if (damage.length > 0) return { state: 'damaged', reason: damage.join('; ') };
    return {
      state: 'sound',
      schema_version: Number(readPragma(sqlite, 'user_version')),
      known_version: getKnownVersion(SERVICE_SCHEMA),
      journal_mode: String(readPragma(sqlite, 'journal_mode')),
      sqlite_version:
        sqlite.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? '',
      restore: findLastRestore(sqlite),
      ...(await tryReadContent(sqlite, database, source)),
    };
  } catch (error) {
    if (isDamage(error)) return { state: 'damaged', reason: error.message };
    throw error;
  } finally {
    await database.close();
  }
}

function readPragma(sqlite: BetterSqlite3.Database, name: string): unknown {
  return sqlite.pragma(name, { simple: true });
}

async function tryReadContent(
  sqlite: BetterSqlite3.Database,
  database: Pick<Engine<Tables>, 'read'>,
  source: KeySource,
): Promise<{ content: DatabaseContent | undefined; reason: string | undefined }> {
  try {
    return { content: await readContent(sqlite, database, source), reason: undefined };
  } catch (error) {
    if (isDamage(error)) throw error;
    return { content: undefined, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function readContent(
  sqlite: BetterSqlite3.Database,
  database: Pick<Engine<Tables>, 'read'>,
  source: KeySource,
): Promise<DatabaseContent> {
  const secrets = readSecrets(sqlite, source);
  const accounts: Account[] = await database.read((trx) =>
    trx.selectFrom('accounts').select(['account_id', 'name', 'created_at']).orderBy('created_at').execute(),
  );
  const content: DatabaseContent = { shops: [], endpoints: [] };
  for (const { account_id, name: account_name } of accounts) {
    await database.read(async (trx) => {
      for (const shop of await listShops(trx, account_id)) {
        content.shops.push({ ...shop, account_name, tokens: await findTokens(trx, secrets, shop) });
      }
    });
    const endpoint = await database.read((trx) => findEndpoint(trx, account_id));
    if (endpoint) content.endpoints.push({ ...toEndpoint(endpoint, secrets), account_name });
  }
  return content;
}
