import { statfs } from 'node:fs/promises';
import type { StrangeOwner } from '../../compose/examination.js';
import type { Config } from '../../config.js';
import type { FolderInspection } from '../../store/index.js';
import { ok, problem, skipped, warning, type Check } from './check.js';

/** A listing with a video and ten photos of the largest size takes about as much. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const MIB = 1024 ** 2;

type FolderSettings = Pick<Config, 'data_dir' | 'marketplace'>;

/** Neither the data directory nor the database is that of another marketplace, with which nothing starts. */
export function checkOwner({ data_dir, marketplace }: FolderSettings, strange?: StrangeOwner): Check[] {
  if (strange === undefined) return [];
  const [name, setting] =
    strange.place === 'folder' ? [data_dir, 'DATA_DIR'] : ['The database of DATABASE_URL', 'DATABASE_URL'];
  return [
    problem(
      strange.place,
      `${name} was made with MARKETPLACE=${strange.marketplace}, and MARKETPLACE is ${marketplace}.`,
      `Set ${setting} to another ${strange.place} for MARKETPLACE=${marketplace}.`,
    ),
  ];
}

/** The data directory is the account holder's alone, and has room. */
export async function checkFolder(data_dir: string, { modes }: FolderInspection): Promise<Check[]> {
  if (modes.length === 0)
    return [skipped('folder', `${data_dir} does not exist yet; the first start makes it.`)];
  const open = modes.filter(({ mode }) => (mode & 0o077) !== 0);
  const checks = open.map(({ path, mode }) =>
    problem(
      'folder',
      `Other users of this computer may open ${path} (mode ${mode.toString(8)}).`,
      `Run chmod go-rwx "${path}". If others could read it before, connect the shops again.`,
    ),
  );
  if (checks.length === 0) checks.push(ok('folder', `${data_dir} is closed to other users.`));
  const { bavail, bsize } = await statfs(data_dir);
  const free = `${Math.floor((bavail * bsize) / MIB)} MiB are free`;
  if (bavail * bsize >= LEAST_FREE_BYTES) return [...checks, ok('disk', `${free}.`)];
  return [
    ...checks,
    warning('disk', `Only ${free}.`, 'Make room, or move DATA_DIR: uploads may have 100 MB each.'),
  ];
}
