import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFault } from '../../src/core/faults.js';
import { toServiceError } from '../../src/core/operations/service_error.js';
import { MarketplaceError } from '../../src/core/ports/index.js';
import { openAddon } from '../../src/sqlite.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'faults-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function catchFrom(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was to fail');
}

/** A write that SQLite refuses as on a full disk, because its file may not grow. */
function fillDatabase(): unknown {
  const sqlite = openAddon(join(folder, 'full.db'));
  sqlite.exec('CREATE TABLE IF NOT EXISTS notes (words TEXT)');
  sqlite.pragma('max_page_count = 3');
  try {
    return catchFrom(() => sqlite.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(100_000)));
  } finally {
    sqlite.close();
  }
}

describe('a fault of this computer', () => {
  it('includes a full disk', () => {
    expect(findFault(fillDatabase())?.code).toBe('disk_full');
  });

  it('includes a file that is no longer a database', () => {
    const file = join(folder, 'damaged.db');
    writeFileSync(file, 'no database at all, but named like one'.repeat(50));
    const sqlite = openAddon(file);
    expect(findFault(catchFrom(() => sqlite.exec('SELECT * FROM notes')))?.hint).toContain(
      'restore a backup',
    );
    sqlite.close();
  });

  it('includes a database locked by another program', () => {
    const file = join(folder, 'held.db');
    const other = openAddon(file);
    other.exec('CREATE TABLE notes (words TEXT); BEGIN EXCLUSIVE');
    const sqlite = openAddon(file, { timeout: 0 });
    expect(findFault(catchFrom(() => sqlite.exec('SELECT * FROM notes')))?.code).toBe('database_locked');
    sqlite.close();
    other.close();
  });

  it.each([
    ['EACCES', 'permission denied'],
    ['EPERM', 'operation not permitted'],
    ['EROFS', 'read-only file system'],
  ])('includes a data folder without write permission (%s)', (code, words) => {
    // Simulates Node's error, because the user running the tests may have every permission.
    const message = `${code}: ${words}, open '/data/staging/one'`;
    const denied = Object.assign(new Error(message), { code, syscall: 'open', path: '/data/staging/one' });
    const { code: told, message: said, hint } = toServiceError(new Error('wrapped', { cause: denied }));
    expect([told, said]).toEqual([
      'INTERNAL',
      'The service has no permission to read or write its data folder.',
    ]);
    expect(hint).toContain('access to DATA_DIR');
  });

  it("is reported as the service's own even during a marketplace call", () => {
    const lost = new MarketplaceError('unavailable', 'there is no marketplace to speak to', {
      cause: new Error('wrapped', { cause: fillDatabase() }),
    });
    const { code, message, hint } = toServiceError(lost);
    expect([code, message]).toEqual(['INTERNAL', "The disk that holds the service's data is full."]);
    expect(hint).toContain('Free up space on the disk of DATA_DIR');
  });

  it('does not include a missing file or a refused connection', async () => {
    expect(findFault(catchFrom(() => openSync(join(folder, 'nothing'), 'r')))).toBeUndefined();
    const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve));
    expect(findFault(refused)).toBeUndefined();
    const forbidden = Object.assign(new Error('connect EPERM'), { code: 'EPERM', syscall: 'connect' });
    expect(findFault(forbidden)).toBeUndefined();
  });
});
