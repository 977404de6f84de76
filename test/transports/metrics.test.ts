import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveSample } from './sample.js';

/** Settings for access from this computer only. */
const LOCAL = { base_url: 'http://127.0.0.1:3000' };
const TOKEN = 'a-token-of-the-operator';

const count = (operation: string, outcome: string) =>
  `listing_service_call_duration_seconds_count{operation="${operation}",face="rest",outcome="${outcome}"} 1`;

async function ask(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/metrics`, { headers });
  await response.arrayBuffer();
  return response.status;
}

describe('the metrics', () => {
  it('count calls by operation, face and outcome, and measure how long they took', async () => {
    const { url, headers } = await serveSample(LOCAL);
    await fetch(`${url}/api/v1/items/1`, { headers });
    await fetch(`${url}/api/v1/items/1?limit=0`, { headers });
    await fetch(`${url}/api/v1/items/1`, { method: 'DELETE', headers });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain(count('item_get', 'ok'));
    expect(text).toContain(count('item_get', 'VALIDATION_FAILED'));
    expect(text).toContain(count('item_delete', 'INTERNAL'));
  });

  it('report what is stored, the calls to the marketplace, and the state of the process', async () => {
    const { url } = await serveSample(LOCAL);
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      'listing_service_marketplace_calls_total{application="installation",operation="getShop",outcome="200"} 3',
      'listing_service_marketplace_calls_total{application="own0key1",operation="getShop",outcome="403"} 1',
      'listing_service_marketplace_calls_left{application="installation",window="second"} 4',
      'listing_service_marketplace_calls_left{application="own0key1",window="day"} 90',
      'listing_service_jobs{status="processing"} 0',
      'listing_service_webhook_deliveries{status="pending"} 0',
      'listing_service_upload_bytes 0',
      'listing_service_drafts 0',
      'listing_service_disk_free_bytes 5000',
      'listing_service_fetches 2',
      'listing_service_body_bytes 0',
      'listing_service_info{version="1.2.3"} 1',
      'listing_service_ready 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toContain('application="installation",window="day"');
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });

  it('report that the database is gone, and only values known without it', async () => {
    const { url, store } = await serveSample({
      ...LOCAL,
      listTroubles: () => store.listTroubles(),
    });
    await store.close();
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text.split('\n')).toContain('listing_service_ready 0');
    expect(text).toContain('listing_service_info');
    expect(text).not.toContain('listing_service_drafts');
  });

  it('have the suffix _total on counters, and nowhere else', async () => {
    const { url } = await serveSample(LOCAL);
    const text = await (await fetch(`${url}/metrics`)).text();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    expect(types.length).toBeGreaterThan(20);
    expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('count identical uploads once', async () => {
    const { url, headers } = await serveSample(LOCAL);
    for (const name of ['a.txt', 'b.txt']) {
      const form = new FormData();
      form.set('type', 'digital');
      form.set('file', new Blob(['a pattern in words']), name);
      await fetch(`${url}/api/v1/uploads`, { method: 'POST', headers, body: form });
    }
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('listing_service_upload_bytes 18');
  });
});

describe('a caller of /metrics', () => {
  it('may be on this computer, with no proxy in between', async () => {
    const { url } = await serveSample(LOCAL);
    expect(await ask(url)).toBe(200);
    expect(await ask(url, { 'x-forwarded-for': '203.0.113.9' })).toBe(404);
    expect(await ask(url, { forwarded: 'for=203.0.113.9' })).toBe(404);
  });

  it('needs the token in any case if BASE_URL is reachable for others', async () => {
    for (const base_url of ['https://shop.example', 'http://192.168.1.20:3000', 'http://0.0.0.0:3000']) {
      expect(await ask((await serveSample({ base_url })).url)).toBe(404);
      const { url } = await serveSample({ base_url }, { metrics_token: TOKEN });
      expect(await ask(url, { authorization: `Bearer ${TOKEN}` })).toBe(200);
    }
  });

  it('needs the token if there is one', async () => {
    const { url, key } = await serveSample(LOCAL, { metrics_token: TOKEN });
    expect(await ask(url)).toBe(404);
    expect(await ask(url, { 'x-service-api-key': key })).toBe(404);
    expect(await ask(url, { authorization: `Bearer ${TOKEN}x` })).toBe(404);
    expect(await ask(url, { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  });

  it('otherwise gets the answer of every unknown path', async () => {
    const { port } = await serveSample(LOCAL, { metrics_token: TOKEN });
    const body = await new Promise<string>((resolve, reject) => {
      request({ port, path: '/metrics' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'NOT_FOUND', message: 'There is no GET /metrics.' },
    });
  });
});
