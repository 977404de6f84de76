import { randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startService } from '../service.js';
import { createDatabase, dropDatabase } from './databases.js';

it('refuses to start a second computer with its own blob folder, even before there are files', async () => {
  const name = `folders_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres_url') ?? '';
  const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await createDatabase(server, name, 'template0');
  const folder = await mkdtemp(join(tmpdir(), 'listing-folders-'));
  onTestFinished(async () => {
    await dropDatabase(server, name);
    await rm(folder, { recursive: true, force: true });
  });
  const here = join(folder, 'here');
  const there = join(folder, 'there');
  const start = (data_dir: string, more: Record<string, string> = {}) =>
    startService({ DATABASE_URL, ...more }, { data_dir });
  const first = await start(here);
  await mkdir(there);
  await copyFile(join(here, 'master.key'), join(there, 'master.key'));
  await expect(start(there)).rejects.toThrow(
    /^The files of the database at DATABASE_URL are not in .*there.blobs: another computer has them\. Set BLOB_STORE/,
  );
  // Several instances on one computer are allowed, as are a shared folder and one that was moved to another
  // computer.
  const beside = await start(here);
  await beside.close({ keep: true });
  const shared = await start(there, { BLOB_STORE: `file://${join(folder, 'shared')}` });
  await shared.close({ keep: true });
  await first.close({ keep: true });
  const moved = join(folder, 'moved');
  await cp(here, moved, { recursive: true });
  const again = await start(moved);
  await again.close({ keep: true });
});
