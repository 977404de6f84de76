import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '../service.js';
import { CLI } from '../surfaces/faces.js';

/** A folder with a photo in it, and a POSIX shell that runs commands as they are printed in the documentation. */
export type Shell = {
  folder: string;
  /** What the command wrote; throws when it ends with anything but 0. curl tells the status of its answer at the end. */
  run(command: string, variables?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
};

/** @param env of every command */
export async function openShell(env: Record<string, string>): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'));
  await copyFile(fixturePath('mug-front.jpg'), join(folder, 'mug.jpg'));
  // What curl would show of its progress is not an answer, and what it does not show is whether it was one.
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
  await writeFile(join(folder, 'listing-service'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    folder,
    run(command, variables = {}) {
      const all = {
        ...env,
        ...variables,
        CURL_HOME: folder,
        HOME: folder,
        PATH: `${folder}:${env['PATH'] ?? ''}`,
      };
      return new Promise((resolve, reject) => {
        execFile('sh', ['-euc', command], { cwd: folder, env: all }, (error, stdout, stderr) => {
          if (error) reject(new Error(`${command}\n${stdout}\n${stderr}`, { cause: error }));
          else resolve(stdout);
        });
      });
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** The status and the JSON of what curl wrote. */
export function parseCurl(stdout: string): { status: number; body: Record<string, unknown> } {
  const end = stdout.lastIndexOf('\n');
  return {
    status: Number(stdout.slice(end + 1)),
    // A file has none.
    body: stdout.startsWith('{') ? (JSON.parse(stdout.slice(0, end)) as Record<string, unknown>) : {},
  };
}
