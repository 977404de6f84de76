import type { TestProject } from 'vitest/node';
import { findPrograms } from '../../postgres/server.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- added to vitest's own, which only an interface can be
  export interface ProvidedContext {
    /** The folder of PostgreSQL's own programs; undefined if not installed. */
    postgres_programs: string | undefined;
  }
}

/** Throws if PostgreSQL is not installed and TEST_POSTGRES is `required`. */
export default function setup(project: TestProject): void {
  const programs = findPrograms();
  if (programs === undefined && process.env['TEST_POSTGRES'] === 'required') {
    throw new Error(
      'TEST_POSTGRES is required, and there is no PostgreSQL server here to start and to stop: install one (apt-get install postgresql).',
    );
  }
  project.provide('postgres_programs', programs);
}
