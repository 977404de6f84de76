import type { TestProject } from 'vitest/node';
import { openPostgresEngines } from '../../src/store/engine/postgres/open.js';
import { createRealClock, createTestLog } from '../store/ports.js';
import { createDatabase } from './databases.js';
import { findPrograms, startServer } from './server.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- added to vitest's own, which only an interface can be
  export interface ProvidedContext {
    /** A server on which tests create databases; if undefined, they run on SQLite. */
    postgres_url: string | undefined;
  }
}

/** The template of each test's database: it has the tables, without rows. */
export const TEMPLATE = 'listing_template';

/**
 * The server for a whole run: that of TEST_DATABASE_URL, whose user may create databases, or else one
 * installed on this computer, which is started. Fails if there is neither: a run that asks for PostgreSQL must
 * not pass without it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, remove } = await findServer();
  project.provide('postgres_url', url);
  await createDatabase(url, TEMPLATE, 'template0');
  const target = new URL(url);
  target.pathname = `/${TEMPLATE}`;
  const engines = await openPostgresEngines({
    url: target.href,
    max_connections: 2,
    instance: 'template',
    clock: createRealClock(),
    log: createTestLog(),
  });
  await engines.service.close();
  return remove;
}

async function findServer(): Promise<{ url: string; remove: () => Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined && url !== '') return { url, remove: () => Promise.resolve() };
  const programs = findPrograms();
  if (programs === undefined) {
    throw new Error(
      'There is no PostgreSQL server here: install one (apt-get install postgresql), or name one with TEST_DATABASE_URL.',
    );
  }
  return startServer(programs);
}
