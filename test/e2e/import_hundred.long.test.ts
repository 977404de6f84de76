import type { ImportJobResult } from '../answers.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY } from '../service.js';
import { openMcpHttp } from '../surfaces/faces.js';

/* A hundred listings in one call over MCP, at the marketplace's pace. */

const PER_SECOND = 60;

let dashboard: TestDashboard;
let mcp: Awaited<ReturnType<typeof openMcpHttp>>;

beforeAll(async () => {
  dashboard = await startDashboard({ SANDBOX_RATE: String(PER_SECOND), MCP_WAIT_SECONDS: '110' });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  mcp = await openMcpHttp(dashboard.url, key);
});
afterAll(async () => {
  await mcp.close();
  await dashboard.close();
});

type Use = Record<string, { calls: number; refused: number }>;

const listStatuses = ({ results }: ImportJobResult) => [...new Set(results.map(({ status }) => status))];

it(
  'a hundred listings are imported with progress, none of them twice, and then all refreshed',
  { timeout: 180_000 },
  async () => {
    const { service } = dashboard;
    await mcp.call('stores_list');
    const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
      is_plain: true,
      count: 100,
    });
    const take = async () => {
      const told: Progress[] = [];
      const { structuredContent } = await mcp.client.callTool(
        { name: 'listing_import', arguments: { shop_id: CLAY.shop_id, listing_ids } },
        undefined,
        { onprogress: (progress) => told.push(progress), timeout: 150_000 },
      );
      return { told, ...(structuredContent as ImportJobResult) };
    };

    const first = await take();
    expect(listStatuses(first)).toEqual(['imported']);
    expect(first.results.map(({ listing_id }) => listing_id)).toEqual(listing_ids);
    expect(first.told.map(({ progress }) => progress)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(new Set(first.told.map(({ total }) => total))).toEqual(new Set([100]));
    expect(first.told.at(-1)?.message).toMatch(/^"ClayAndOak": .* imported$/);

    const again = await take();
    expect(listStatuses(again)).toEqual(['refreshed']);
    expect(again.results.map(({ listing_pk }) => listing_pk)).toEqual(
      first.results.map(({ listing_pk }) => listing_pk),
    );
    expect((await service.call<{ total: number }>('listings_list')).total).toBe(100);
    // Calls sent in different seconds may arrive in one; refused ones are retried.
    const use = (await service.control<Use>('GET', '/applications'))[SANDBOX_APP.keystring];
    expect(use?.calls).toBeGreaterThan(500);
    expect(use?.refused).toBeLessThan(10);
  },
);
