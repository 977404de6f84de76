import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- added to vitest's own, which only an interface can be
  export interface ProvidedContext {
    /** The folder in which each process of the run may keep a folder to copy. */
    prepared_dir: string | undefined;
  }
}

/** Around a whole run: its processes are ended from outside, and clean up nothing. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared_dir = await mkdtemp(join(tmpdir(), 'listing-prepared-'));
  project.provide('prepared_dir', prepared_dir);
  return () => rm(prepared_dir, { recursive: true, force: true });
}
