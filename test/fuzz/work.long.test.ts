import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { listTargets, startService, upload, type TestService } from '../service.js';
import { buildBody, buildSeeds } from './inputs.js';
import type { Tree } from './mutate.js';
import { createRandom } from './random.js';
import { sendCase, type Door } from './send_case.js';
import { openStepCounter, type StepCounter } from './steps.js';
import { WORST_CASES, type WorstCase } from './worst_cases.js';

/*
 * A caller's input costs work in proportion to its size. The work is counted in steps of our own code, so a
 * slow machine gets the same result as a fast one. The engine's part (parsing JSON, searching in text) is
 * limited by JSON_LIMITS.
 */

/** For any request, and for each of its bytes: several times the costliest case here. */
const STEPS = { request: 20_000, byte: 80 };
/** For any request: about a tenth of a second. */
const MOST_STEPS = 5_000_000;
const KB = 1_000;
const SIZES = { rest: [4 * KB, 64 * KB, 900 * KB], mcp: [4 * KB, 64 * KB, 900 * KB, 7_000 * KB] };
const FUZZED = Math.min(2_000, Number(process.env['FUZZ_BODIES']) / 2);

let service: TestService;
let face: HttpFace;
let counter: StepCounter;
let door: Door;

beforeAll(async () => {
  service = await startService();
  face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  const { accounts } = service.app.core;
  const { key } = await accounts.createKey((await accounts.getDefault()).account_id, 'work');
  door = { url: `http://127.0.0.1:${face.port}`, key };
  counter = await openStepCounter();
});
afterAll(async () => {
  await counter.close();
  await face.close(0);
  await service.close();
});

/** The first run loads the modules the others use. */
async function measureSecond(kind: WorstCase['face'], text: string) {
  await sendCase(door, kind, text);
  return measure(kind, text);
}

async function measure(kind: WorstCase['face'], text: string) {
  let status = 0;
  const steps = await counter.count(async () => {
    ({ status } = await sendCase(door, kind, text));
  });
  return { steps, status, most: Math.min(MOST_STEPS, STEPS.request + STEPS.byte * Buffer.byteLength(text)) };
}

describe('a request made to cost as much as possible', () => {
  it.each(WORST_CASES)(
    'is answered after a number of steps in proportion to its size: $name',
    async (worst) => {
      for (const size of SIZES[worst.face === 'rest' ? 'rest' : 'mcp']) {
        const { steps, status, most } = await measureSecond(worst.face, worst.build(size));
        expect([200, 400], `${size} bytes`).toContain(status);
        expect(steps, `steps of ${size} bytes`).toBeGreaterThan(0);
        expect(steps, `steps of ${size} bytes`).toBeLessThan(most);
      }
    },
  );
});

describe('a randomly changed request', () => {
  it('is answered after a number of steps in proportion to its size', { timeout: 1_800_000 }, async () => {
    const targets = (await listTargets(service)) as { [key: string]: Tree }[];
    const images = [await upload(service, 'photo-01.jpg'), await upload(service, 'photo-02.jpg')];
    const pdf = await upload(service, 'pattern.pdf', 'digital');
    const clip = await upload(service, 'clip.mp4', 'video');
    const seeds = buildSeeds({ targets, images, pdf, clip, listing_pks: [], job_ids: [] });
    for (let seed = 0; seed < FUZZED; seed += 1) {
      const text = JSON.stringify(buildBody(seeds, createRandom(seed)));
      // Starts nothing that would continue while the next one is counted.
      const { steps, most } = await measure(
        'rest',
        text.replace(/^\{/, '{"dry_run":true,').replace('"dry_run":false', '"x":0'),
      );
      expect(steps, `steps of seed ${seed}`).toBeLessThan(most);
    }
  });
});
