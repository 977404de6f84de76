import { describe, expect, it, onTestFinished } from 'vitest';
import type { Progress } from '../../src/core/ports/index.js';
import { createHttpFace } from '../../src/transports/index.js';
import { buildMug, startService, TARGETS, type TestService } from '../service.js';

/** An instance that serves and one that works, on one folder. */
async function startTwo(latency_ms = 900): Promise<{ web: TestService; worker: TestService }> {
  const environment = { SANDBOX_LATENCY_MS: `${latency_ms}` };
  const web = await startService({ ...environment, ROLE: 'web' });
  const worker = await startService({ ...environment, ROLE: 'worker' }, { data_dir: web.data_dir });
  onTestFinished(async () => {
    await worker.close({ keep: true });
    await web.close();
  });
  return { web, worker };
}

describe('instances that share the work', () => {
  it('run a job at another instance than the call, and give the caller its progress and result', async () => {
    // So slow that progress is polled several times even on a busy machine.
    const { web, worker } = await startTwo(2_000);
    await worker.app.core.listings.resume();
    const received: Progress[] = [];
    const creating = web.call<{ status: string; results: { status: string }[] }>(
      'listing_create',
      buildMug([TARGETS.clay], { state: 'publish' }),
      {
        onProgress(progress) {
          received.push(progress);
          expect(web.app.core.listings.countRunning()).toBe(0);
        },
      },
    );
    const { status, results } = await creating;
    expect([status, results[0]?.status]).toEqual(['completed', 'ok']);
    expect(received.length).toBeGreaterThan(0);
    expect(received.map(({ done }) => done)).toEqual(
      received.map(({ done }) => done).toSorted((a, b) => a - b),
    );
  });

  it('leave a job alone while none of them works, until one does', async () => {
    const { web, worker } = await startTwo();
    const { job_id } = await web.call<{ job_id: string }>(
      'listing_create',
      buildMug([TARGETS.clay], { state: 'publish' }),
      { wait_ms: 1_500 },
    );
    const status = () =>
      web.call<{ status: string }>('listing_create_status', { job_id }).then((job) => job.status);
    await web.app.core.listings.resume();
    expect(await status()).toBe('processing');
    await worker.app.core.listings.resume();
    await expect.poll(status, { timeout: 20_000 }).toBe('completed');
  });
});

it('serve probes and metrics, and nothing else, if they only work', async () => {
  const service = await startService({ ROLE: 'worker' });
  onTestFinished(() => service.close());
  const face = await createHttpFace(service.app.service, { ...service.app.config, port: 0 });
  onTestFinished(() => face.close(0));
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${face.port}${path}`)).status;
  const statuses = [];
  for (const path of ['/healthz', '/readyz', '/metrics', '/', '/api/v1/stores', '/mcp', '/docs']) {
    statuses.push(await get(path));
  }
  expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404]);
});
