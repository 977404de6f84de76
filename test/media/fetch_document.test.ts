import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MediaOptions } from '../../src/media/index.js';
import { buildCertificate } from './certificate.js';
import { answer, failureOf, LOOPBACK, makeMedia, portOf } from './sample.js';

const HOST = 'client.example';
const LIMITS = { limit_bytes: 1_000, deadline_ms: 20_000 };

/** A document served over https on this machine, and a way to fetch it. */
async function serveDocument(onRequest: RequestListener, options: Partial<MediaOptions> = {}) {
  const { key, cert } = buildCertificate(HOST);
  const server = createServer({ key, cert }, onRequest);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { media } = await makeMedia({
    ca: cert,
    lookup: answer('127.0.0.1'),
    documents: { egress_allow_cidrs: LOOPBACK },
    ...options,
  });
  const url = `https://${HOST}:${portOf(server)}/client.json`;
  return {
    fetch: (path = '', limits: Partial<typeof LIMITS> = {}) =>
      media.fetchDocument(url + path, { ...LIMITS, ...limits }),
  };
}

describe('fetchDocument', () => {
  it('returns the text and how long it may be cached', async () => {
    const { fetch } = await serveDocument(({ url }, response) => {
      const headers = url?.endsWith('?age') ? { 'cache-control': 'public, max-age=7200' } : {};
      response.writeHead(200, headers).end('{"a":"ü"}');
    });
    expect(await fetch()).toEqual({ text: '{"a":"ü"}', max_age_seconds: undefined });
    expect(await fetch('?age')).toEqual({ text: '{"a":"ü"}', max_age_seconds: 7200 });
  });

  it('follows no redirect, and accepts only a complete answer', async () => {
    const { fetch } = await serveDocument(({ url }, response) => {
      const status = Number(url?.split('?')[1]);
      if (status > 0) response.writeHead(status, { location: '/elsewhere' }).end('x');
      else response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy());
    });
    for (const status of [302, 307, 404, 500]) {
      expect(await failureOf(fetch(`?${status}`))).toBe(`status_${status}`);
    }
    expect(await failureOf(fetch())).toBe('truncated');
  });

  it('reads no more than the limit, whether the size is announced or not', async () => {
    const { fetch } = await serveDocument(({ url }, response) => {
      if (url?.endsWith('?told')) response.writeHead(200, { 'content-length': '1000000' });
      const send = () => {
        while (response.writable && !response.destroyed && response.write('x'.repeat(500)));
        response.once('drain', send);
      };
      send();
    });
    expect(await failureOf(fetch())).toBe('too_large');
    expect(await failureOf(fetch('?told'))).toBe('too_large');
  });

  it('waits no longer than the limit, for the answer or for its end', async () => {
    const { fetch } = await serveDocument(({ url }, response) => {
      if (url?.endsWith('?begin')) response.write('{');
    });
    expect(await failureOf(fetch('', { deadline_ms: 300 }))).toBe('timeout');
    expect(await failureOf(fetch('?begin', { deadline_ms: 300 }))).toBe('timeout');
  });

  it('connects to no internal address, even one that files may come from, and never without https', async () => {
    const asked: string[] = [];
    const { fetch } = await serveDocument(({ url }) => void asked.push(url ?? ''), {
      documents: {},
    });
    expect(await failureOf(fetch())).toBe('blocked_address');
    expect(asked).toEqual([]);
    const { media } = await makeMedia();
    expect(await failureOf(media.fetchDocument('http://client.example/x', LIMITS))).toBe('invalid_url');
    expect(await failureOf(media.fetchDocument('https://169.254.169.254/x', LIMITS))).toBe('blocked_address');
  });
});
