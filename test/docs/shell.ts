import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '../service.js';
import { CLI } from '../surfaces/faces.js';

/** A folder with a photo in it, and a POSIX shell that runs commands as printed in the documentation. */
export type Shell = {
  folder: string;
  /**
   * The command's output; throws if it exits with anything but 0. curl prints the status of its answer at the
   * end.
   */
  run(command: string, variables?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
};

/** @param env for every command */
export async function openShell(env: Record<string, string>): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'));
  await copyFile(fixturePath('mug-front.jpg'), join(folder, 'mug.jpg'));
  // curl's progress output is removed, and the status it would not show is added.
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

/** The status and the JSON from curl's output. */
export function parseCurl(stdout: string): { status: number; body: Record<string, unknown> } {
  const end = stdout.lastIndexOf('\n');
  return {
    status: Number(stdout.slice(end + 1)),
    // A file has no JSON.
    body: stdout.startsWith('{') ? (JSON.parse(stdout.slice(0, end)) as Record<string, unknown>) : {},
  };
}
