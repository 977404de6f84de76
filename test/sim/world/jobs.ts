import { join } from 'node:path';
import { openAddon } from '../../../src/sqlite.js';
import type { World } from './world.js';

export type RunningJob = { job_id: string; listing_pk: number };

/** Jobs that have not ended, as committed, whatever the programs report. */
export function listRunning({ folder }: Pick<World, 'folder'>): RunningJob[] {
  const running = `SELECT job_id, listing_pk FROM jobs WHERE status = 'processing' ORDER BY job_id`;
  return listRows<RunningJob>(folder, running);
}

/** Batches with an item that is being changed. */
export function listWorking({ folder }: Pick<World, 'folder'>): string[] {
  const working = `SELECT DISTINCT batch_id FROM batch_items WHERE status = 'running' ORDER BY batch_id`;
  return listRows<{ batch_id: string }>(folder, working).map(({ batch_id }) => batch_id);
}

/** Rows of the service's database, as committed. */
export function listRows<Row>(folder: string, sql: string): Row[] {
  const database = openAddon(join(folder, 'data', 'service.db'), { readonly: true });
  try {
    return database.prepare<[], Row>(sql).all();
  } finally {
    database.close();
  }
}
