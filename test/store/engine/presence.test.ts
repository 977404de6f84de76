import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SQLITE_PACKAGE } from '../../../src/sqlite.js';
import { createPresence, forgetOwners, listOwners } from '../../../src/store/engine/sqlite/presence.js';
import { makeDirectory } from '../world.js';

it('reports which processes are running, and none if there is no folder of locks', () => {
  const folder = join(makeDirectory(), 'processes');
  const [here, there] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    here.close();
    there.close();
  });
  expect(there.isPresent('one')).toBe(false);
  here.announce('one');
  expect(there.isPresent('one')).toBe(true);
  here.close();
  expect(there.isPresent('one')).toBe(false);
});

it('lists running processes, and killed ones until they are forgotten', () => {
  const folder = join(makeDirectory(), 'processes');
  expect(listOwners(folder)).toEqual({ present: [], gone: [] });
  const [presence, other] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    presence.close();
    other.close();
  });
  presence.announce('one / two');
  writeFileSync(join(folder, 'killed.lock'), '');
  writeFileSync(join(folder, 'killed.lock-journal'), '');
  // Another process that requests it leaves it to the next start.
  expect(other.isPresent('killed')).toBe(false);
  expect(listOwners(folder)).toEqual({ present: ['one / two'], gone: ['killed'] });

  forgetOwners(folder, ['killed']);
  expect(listOwners(folder)).toEqual({ present: ['one / two'], gone: [] });
  presence.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('never forgets a process that locked its file after it was listed as gone', () => {
  const folder = join(makeDirectory(), 'processes');
  const [starting, other] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    starting.close();
    other.close();
  });
  mkdirSync(folder);
  // A starting process leaves the file like this for a moment: created, but not yet locked.
  writeFileSync(join(folder, 'starting.lock'), '');
  const { gone } = listOwners(folder);
  expect(gone).toEqual(['starting']);
  starting.announce('starting');
  forgetOwners(folder, gone);

  expect(other.isPresent('starting')).toBe(true);
});

it('announces itself again if its file is removed before it is locked', async () => {
  const folder = join(makeDirectory(), 'processes');
  const [starting, other] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    starting.close();
    other.close();
  });
  mkdirSync(folder);
  const file = join(folder, 'starting.lock');
  const forgetting = spawn(process.execPath, ['--input-type=module', '-e', FORGET, file], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(forgetting, 'close');
  await once(forgetting.stdout, 'data');
  // It has opened the file and is waiting for the lock when the other process removes the file.
  starting.announce('starting');
  await ended;

  expect(other.isPresent('starting')).toBe(true);
  expect(listOwners(folder)).toEqual({ present: ['starting'], gone: [] });
});

/** A process that holds the lock on a file and removes the file a moment later. */
const FORGET = `
  import Sqlite from '${SQLITE_PACKAGE}';
  import { rmSync } from 'node:fs';
  const [file] = process.argv.slice(1);
  const lock = new Sqlite(file);
  lock.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setTimeout(() => {
    rmSync(file);
    lock.close();
  }, 500);
`;

it('treats a process as running if its lock cannot be opened', () => {
  const folder = join(makeDirectory(), 'processes');
  const presence = createPresence(folder);
  // SQLite cannot open a folder, just as it cannot open anything when the process has no descriptors left.
  mkdirSync(join(folder, 'unreadable.lock'), { recursive: true });

  expect(presence.isPresent('unreadable')).toBe(true);
  expect(listOwners(folder)).toEqual({ present: ['unreadable'], gone: [] });
});
