import { join } from 'node:path';
import { openAddon } from '../../../src/sqlite.js';
import type { World } from './world.js';

export type RunningJob = { job_id: string; listing_pk: number };

/** Jobs that have not ended, as they were committed, whatever the programs say of them. */
export function listRunning({ folder }: Pick<World, 'folder'>): RunningJob[] {
  const database = openAddon(join(folder, 'data', 'service.db'), { readonly: true });
  try {
    const running = `SELECT job_id, listing_pk FROM jobs WHERE status = 'processing' ORDER BY job_id`;
    return database.prepare<[], RunningJob>(running).all();
  } finally {
    database.close();
  }
}
