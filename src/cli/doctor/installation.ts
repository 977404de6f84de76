import { statfs } from 'node:fs/promises';
import { readPackage } from '../../version.js';
import type { StrangeOwner } from '../../compose/examination.js';
import type { Config } from '../../config.js';
import type { FolderInspection } from '../../store/index.js';
import type { ExaminedBlobs } from '../../compose/blobs.js';
import { ok, problem, skipped, warning, type Check } from './check.js';

/**
 * Checks that Node is as new as package.json requires.
 * @param version of Node, such as 22.3.0
 */
export function checkRuntime(version: string): Check[] {
  const { least_node, version: own } = readPackage();
  if (isAtLeast(version, least_node)) return [ok('runtime', `Version ${own} on Node ${version}.`)];
  return [problem('runtime', `Node ${version} is older than ${least_node}.`, 'Install a newer Node.')];
}

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  const differsAt = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return differsAt === undefined || (a?.[differsAt] ?? 0) > (b?.[differsAt] ?? 0);
}

/** About the size of a listing with a video and ten photos of the largest size. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const MIB = 1024 ** 2;

type FolderSettings = Pick<Config, 'data_dir' | 'marketplace'>;

/**
 * Checks that neither the data directory nor the database belongs to another marketplace, which would prevent
 * a start.
 */
export function checkOwner({ data_dir, marketplace }: FolderSettings, strange?: StrangeOwner): Check[] {
  if (strange === undefined) return [];
  const [name, setting] =
    strange.place === 'folder' ? [data_dir, 'DATA_DIR'] : ['The database at DATABASE_URL', 'DATABASE_URL'];
  return [
    problem(
      strange.place,
      `${name} was created with MARKETPLACE=${strange.marketplace}, but MARKETPLACE is ${marketplace}.`,
      `Set ${setting} to another ${strange.place} for MARKETPLACE=${marketplace}.`,
    ),
  ];
}

/** Checks that only the account holder can read the data directory, and that it has room. */
export async function checkFolder(data_dir: string, { modes }: FolderInspection): Promise<Check[]> {
  if (modes.length === 0)
    return [skipped('folder', `${data_dir} does not exist yet; the first start creates it.`)];
  const open = modes.filter(({ mode }) => (mode & 0o077) !== 0);
  const checks = open.map(({ path, mode }) =>
    problem(
      'folder',
      `Other users of this computer can open ${path} (mode ${mode.toString(8)}).`,
      `Run chmod go-rwx "${path}". If others could read it before, connect the shops again.`,
    ),
  );
  if (checks.length === 0) checks.push(ok('folder', `${data_dir} is closed to other users.`));
  const { bavail, bsize } = await statfs(data_dir);
  const free = `${Math.floor((bavail * bsize) / MIB)} MiB are free`;
  if (bavail * bsize >= LEAST_FREE_BYTES) return [...checks, ok('disk', `${free}.`)];
  return [
    ...checks,
    warning('disk', `Only ${free}.`, 'Free space, or move DATA_DIR: uploads may have 100 MB each.'),
  ];
}

/** Checks that the database can be read and is intact, and that the key decrypts its secrets. */
export function checkDatabase({ database }: FolderInspection): Check[] {
  if (database.state === 'missing') {
    return [skipped('database', 'There is no database yet; the first start creates it.')];
  }
  if (database.state === 'damaged') {
    return [
      problem(
        'database',
        `service.db is damaged (${database.reason}).`,
        'Stop the service, move the file away, and put a backup in its place.',
      ),
    ];
  }
  if (database.state === 'refused') {
    return [
      problem(
        'database',
        database.reason,
        'Nothing starts until this is fixed. Correct DATABASE_URL, or check the server.',
      ),
    ];
  }
  if (database.state === 'server') return checkServer(database);
  const { schema_version, journal_mode, sqlite_version } = database;
  const checks = [
    ok('database', `Sound, schema ${schema_version}, SQLite ${sqlite_version}.`),
    ...checkVersion(database),
  ];
  if (journal_mode !== 'wal') {
    checks.push(
      problem(
        'database',
        `Its journal mode is ${journal_mode} instead of wal.`,
        'Put DATA_DIR on a local disk, and start the service, which sets the mode.',
      ),
    );
  }
  return [...checks, ...checkRestore(database), checkSecrets(database)];
}

type Server = Extract<FolderInspection['database'], { state: 'server' }>;

function checkServer(database: Server): Check[] {
  const { name, server_version, schema_version, clock_ahead_ms, instances } = database;
  const seconds = Math.round(Math.abs(clock_ahead_ms) / 1000);
  return [
    ok('database', `PostgreSQL ${server_version} answers at ${name}, schema ${schema_version}.`),
    ...checkVersion(database),
    Math.abs(clock_ahead_ms) <= MAX_CLOCK_DIFFERENCE_MS
      ? ok('clock', "This computer's clock and the database server's agree.")
      : warning(
          'clock',
          `This computer's clock is ${seconds} s ${clock_ahead_ms > 0 ? 'ahead of' : 'behind'} the database server's.`,
          'Synchronize both with NTP.',
        ),
    ok('instances', `${instances} ${instances === 1 ? 'instance runs' : 'instances run'} on the database.`),
    checkSecrets(database),
  ];
}

function checkVersion({
  obstacle,
  schema_version,
  known_version,
}: Pick<Server, 'obstacle' | 'schema_version' | 'known_version'>): Check[] {
  if (obstacle !== undefined)
    return [problem('database', obstacle, 'Nothing starts on it until this is fixed.')];
  if (schema_version >= known_version) return [];
  return [
    ok('database', `The next start, or listing-service migrate, upgrades its schema to ${known_version}.`),
  ];
}

const MAX_CLOCK_DIFFERENCE_MS = 5_000;

function checkSecrets({
  content,
  reason,
  schema_version,
  known_version,
}: Pick<Server, 'content' | 'reason' | 'schema_version' | 'known_version'>): Check {
  if (content) return ok('secrets', 'The key decrypts the stored secrets.');
  if (schema_version !== known_version)
    return skipped('secrets', 'Not read: the schema has another version.');
  return problem(
    'secrets',
    `The encrypted secrets cannot be read: ${reason ?? ''}`,
    'Set MASTER_KEY, or restore master.key, to the key from the first start.',
  );
}

/**
 * Reports that the database is a restored backup: anything created after the backup is unknown here, and
 * stays so.
 */
function checkRestore({ restore }: Extract<FolderInspection['database'], { state: 'sound' }>): Check[] {
  if (!restore) return [];
  const { backed_up_at, restored_at } = restore;
  if (restored_at === null) {
    const message = `service.db is a backup of ${backed_up_at}; the next start restores it.`;
    return [ok('restore', message)];
  }
  return [
    ok(
      'restore',
      `Restored at ${restored_at} from a backup of ${backed_up_at}. Anything created in between is unknown here.`,
      'Check the shops for listings from that time before you list their products again.',
    ),
  ];
}

const REMEDY =
  'Check BLOB_STORE, S3_ENDPOINT, S3_REGION and the key in S3_ACCESS_KEY_ID, which must be allowed to list, read, write and delete there. Until then, photos can be neither stored nor sent.';

/** Checks that the place for photos and other files can be written, read and cleaned up. */
export function checkBlobs(examined: ExaminedBlobs | undefined): Check[] {
  if (!examined) return [];
  const { name, is_bucket, troubles, lacks_files } = examined;
  if (troubles.length > 0) return troubles.map((trouble) => problem('files', trouble, REMEDY));
  if (lacks_files) {
    return [
      warning(
        'files',
        `The folder ${name} is new, but the database refers to files that it does not have.`,
        'Check that it is the folder that all computers share, and that it is mounted here. Copy files from the folder blobs in DATA_DIR into it.',
      ),
    ];
  }
  if (!is_bucket) return [];
  return [ok('files', `A few bytes were put into ${name}, listed, read back and deleted.`)];
}
