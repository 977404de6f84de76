import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createWindowCounts } from '../../../src/core/identity/window_counts.js';
import { openAddon } from '../../../src/sqlite.js';
import { createHttpFace } from '../../../src/transports/index.js';
import { ask } from '../../postgres/databases.js';
import { getDatabase } from '../../postgres/world.js';
import { startService, type TestService } from '../../service.js';
import { createTestClock, createTestLog } from '../../store/ports.js';

const WRONG = { headers: { 'x-service-api-key': 'mls_wrong' } };
const WINDOW = { max: 2, window_ms: 60_000 };

async function serve({ app }: TestService): Promise<string> {
  const face = await createHttpFace(app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  onTestFinished(() => face.close(0));
  return `http://127.0.0.1:${face.port}`;
}

/** From now on nothing can be counted in the database of the service. */
async function breakCounts({ data_dir }: TestService): Promise<void> {
  const url = await getDatabase(data_dir);
  if (url !== undefined) {
    await ask(url, 'ALTER TABLE window_counts RENAME TO counts_elsewhere');
    return;
  }
  const rates = openAddon(join(data_dir, 'rates.db'));
  onTestFinished(() => void rates.close());
  rates.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON window_counts BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
}

it('reports wrong credentials, and keeps limiting guesses, while nothing can be counted', async () => {
  const log = createTestLog();
  const service = await startService({}, { log });
  onTestFinished(() => service.close());
  await breakCounts(service);
  const url = await serve(service);
  const statuses: number[] = [];
  for (let index = 0; index < 31; index += 1) {
    statuses.push((await fetch(`${url}/api/v1/stores`, WRONG)).status);
  }
  expect([...new Set(statuses.slice(0, 30))]).toEqual([401]);
  expect(statuses.at(-1)).toBe(429);
  expect(log.lines.filter(({ message }) => message.startsWith('limits by address'))).toHaveLength(1);
});

it('counts wrong credentials across all instances, not within each', async () => {
  const logs = [createTestLog(), createTestLog()];
  const first = await startService({}, { log: logs[0] });
  onTestFinished(() => first.close());
  const second = await startService({}, { log: logs[1], data_dir: first.data_dir });
  onTestFinished(() => second.close({ keep: true }));
  const urls = [await serve(first), await serve(second)];
  const statuses: number[] = [];
  for (let index = 0; index < 31; index += 1) {
    statuses.push((await fetch(`${urls[index % 2]}/api/v1/stores`, WRONG)).status);
  }
  expect([...new Set(statuses.slice(0, 30))]).toEqual([401]);
  expect(statuses.at(-1)).toBe(429);
  expect((await fetch(`${urls[1]}/api/v1/stores`, WRONG)).status).toBe(429);
  const result = logs.flatMap(({ lines }) =>
    lines.filter(({ message }) => message.startsWith('limits by address')),
  );
  expect(result).toEqual([]);
});

it('counts within this process until the counter is shared again, and then restarts each window', async () => {
  const clock = createTestClock();
  let isBroken = true;
  const shared = () => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve({ retry_after_ms: 7 }));
  const counts = createWindowCounts({ countInWindow: shared }, { clock, log: createTestLog() });
  const count = async (subject: string) => (await counts.countInWindow(subject, WINDOW)).retry_after_ms;
  expect([await count('a'), await count('a'), await count('a'), await count('b')]).toEqual([0, 0, 60_000, 0]);
  clock.advance(60_000);
  expect(await count('a')).toBe(0);
  isBroken = false;
  expect(await count('a')).toBe(7);
});
