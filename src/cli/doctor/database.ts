import type { FolderInspection } from '../../store/index.js';
import { ok, problem, skipped, warning, type Check } from './check.js';
import { checkRestore } from './restore.js';

/** Checks that the database can be read and is sound, and that the key opens its secrets. */
export function checkDatabase({ database }: FolderInspection): Check[] {
  if (database.state === 'missing') {
    return [skipped('database', 'There is no database yet; the first start makes it.')];
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
        'Nothing starts until then. Correct DATABASE_URL, or see to the server.',
      ),
    ];
  }
  if (database.state === 'server') return checkServer(database);
  const { schema_version, known_version, journal_mode, sqlite_version } = database;
  const checks = [ok('database', `Sound, schema ${schema_version}, SQLite ${sqlite_version}.`)];
  if (schema_version > known_version) {
    checks.push(
      problem(
        'database',
        `Its schema is ${schema_version}, and this release knows ${known_version}.`,
        'Start the newer release, or put a backup of this one in its place.',
      ),
    );
  } else if (schema_version < known_version) {
    checks.push(ok('database', `The next start brings its schema to ${known_version}.`));
  }
  if (journal_mode !== 'wal') {
    checks.push(
      problem(
        'database',
        `Its journal mode is ${journal_mode} instead of wal.`,
        'Put DATA_DIR on a local disk, and start the service: it sets the mode itself.',
      ),
    );
  }
  return [...checks, ...checkRestore(database), checkSecrets(database)];
}

type Server = Extract<FolderInspection['database'], { state: 'server' }>;

function checkServer(database: Server): Check[] {
  const { name, server_version, schema_version, known_version, obstacle, clock_ahead_ms, instances } =
    database;
  const checks = [
    ok('database', `PostgreSQL ${server_version} answers at ${name}, schema ${schema_version}.`),
  ];
  if (obstacle !== undefined) checks.push(problem('database', obstacle, 'Nothing starts on it until then.'));
  if (schema_version < known_version) {
    checks.push(
      ok('database', `The next start, or listing-service migrate, brings its schema to ${known_version}.`),
    );
  }
  const seconds = Math.round(Math.abs(clock_ahead_ms) / 1000);
  checks.push(
    Math.abs(clock_ahead_ms) <= MAX_CLOCK_DIFFERENCE_MS
      ? ok('clock', "This computer's clock and the database server's agree.")
      : warning(
          'clock',
          `This computer's clock is ${seconds} s ${clock_ahead_ms > 0 ? 'ahead of' : 'behind'} the database server's.`,
          'Set both by NTP.',
        ),
    ok('instances', `${instances} ${instances === 1 ? 'instance runs' : 'instances run'} on the database.`),
    checkSecrets(database),
  );
  return checks;
}

const MAX_CLOCK_DIFFERENCE_MS = 5_000;

function checkSecrets({
  content,
  reason,
  schema_version,
  known_version,
}: Pick<Server, 'content' | 'reason' | 'schema_version' | 'known_version'>): Check {
  if (content) return ok('secrets', 'The key fits what it sealed.');
  if (schema_version !== known_version) return skipped('secrets', 'Not read: the schema is another one.');
  return problem(
    'secrets',
    `What is sealed cannot be read: ${reason ?? ''}`,
    'Set MASTER_KEY, or put master.key back, as it was when the service was first started.',
  );
}
