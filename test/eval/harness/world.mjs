import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
export const CLI = join(import.meta.dirname, '..', '..', '..', 'dist', 'src', 'cli.js');
const START_MS = 60_000;

/**
 * A separate marketplace and a folder for the service, as a user would have them; processes come and go on
 * it. Results are read from the marketplace, not from the service's answers.
 */
export async function openWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'listing-eval-'));
  // Where a seller finds files made for them.
  const downloads = join(folder, 'Downloads');
  await mkdir(downloads);
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '1000',
    SANDBOX_RATE: '10000',
    RECONCILE_SETTLE_MS: '300',
    UPLOAD_ROOTS: `${FIXTURES},${downloads}`,
  };
  const sandbox = start(['sandbox', '--control', '--port', '0'], environment);
  const [, url] = await sandbox.findLine(/^Sandbox marketplace: (\S+)$/);

  async function control(method, path, body) {
    const sent = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(`${url}/_sandbox${path}`, sent);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }

  return {
    environment,
    /** The `{listings, fees}` added since the start. */
    readState: () => control('GET', '/state'),
    /** Makes the marketplace misbehave: `{operation, times, after, action}`. */
    addFault: (rule) => control('POST', '/faults', { rules: [rule] }),
    clearFaults: () => control('DELETE', '/faults'),
    /**
     * A listing that the seller makes on the marketplace, with these values; without them, an active mug of 2
     * × 3 variations. Returns its id.
     */
    async makeManually(shop_id, fields = {}) {
      const { listing_ids } = await control('POST', '/listings', { shop_id, ...fields });
      return listing_ids[0];
    },
    /** Edits on the marketplace that the service does not see. */
    editManually: (listing_id, fields) => control('POST', `/listings/${listing_id}/edit`, fields),
    /** A buyer buys some pieces. */
    sell: (listing_id, quantity) => control('POST', `/listings/${listing_id}/sell`, { quantity }),
    /** Time passes for the marketplace's listings. */
    advance: (advance_ms) => control('POST', '/clock', { advance_ms }),
    async close() {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The program as a process. */
export function start(args, environment) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  return {
    findLine(pattern) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no line like ${pattern}`)), START_MS);
        ended.then((code) => reject(new Error(`ended with ${code} before a line like ${pattern}`)), reject);
        createInterface({ input: child.stdout }).on('line', (line) => {
          const found = pattern.exec(line);
          if (!found) return;
          clearTimeout(late);
          resolve(found);
        });
      });
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
