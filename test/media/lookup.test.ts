import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLookup } from '../../src/media/fetching/lookup.js';
import { startNameServer, type NameServer, type Zone } from './name_server.js';
import { makeFolder } from './sample.js';

const ZONE: Zone = {
  'both.example': ['93.184.216.34', '2606:4700::1111', '93.184.216.35'],
  'four.example': ['93.184.216.34'],
  'six.example': ['2606:4700::1111'],
  'www.example': { cname: 'edge.example' },
  'edge.example': { cname: 'both.example' },
  'empty.example': [],
  'slow.example': 'silence',
};

async function open(hosts = '127.0.0.1 localhost\n') {
  const hosts_file = join(await makeFolder(), 'hosts');
  await writeFile(hosts_file, hosts);
  const server = await startNameServer(ZONE);
  const lookup = createLookup({ name_servers: [server.address], hosts_file });
  const find = async (name: string, signal = new AbortController().signal) =>
    (await lookup(name, signal)).map(({ address }) => address);
  return { server, lookup, find };
}

/** Expects no further query: waits longer than a resolver does before it asks again. */
async function expectQuiet({ asked }: NameServer): Promise<void> {
  const before = asked.length;
  await new Promise((done) => setTimeout(done, 1_500));
  expect(asked.length).toBe(before);
}

describe('a name lookup', () => {
  it('returns the addresses of both families, also through aliases', async () => {
    const { find, lookup } = await open();
    expect(await find('both.example')).toEqual(['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
    expect(await find('www.example')).toEqual(await find('both.example'));
    expect(await find('four.example')).toEqual(['93.184.216.34']);
    expect(await lookup('six.example', new AbortController().signal)).toEqual([
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('throws for a name that does not exist or has no address', async () => {
    const { find } = await open();
    await expect(find('missing.example')).rejects.toThrow('ENOTFOUND');
    await expect(find('empty.example')).rejects.toThrow('ENODATA');
  });

  it('prefers the hosts file to any name server', async () => {
    const { find, server } = await open(
      [
        '# 10.9.9.9 four.example',
        '10.0.0.5\tFour.example alias.example # 10.0.0.6 six.example',
        'fd12::5 four.example',
        'four.example 10.0.0.7',
        '10.0.0.8 not-four.example',
        '10.0.0.9 printer',
      ].join('\r\n'),
    );
    expect(await find('four.example')).toEqual(['10.0.0.5', 'fd12::5']);
    expect(await find('alias.example')).toEqual(['10.0.0.5']);
    expect(await find('printer')).toEqual(['10.0.0.9']);
    expect(server.asked).toEqual([]);
    expect(await find('six.example')).toEqual(['2606:4700::1111']);
  });

  it("asks no name server for this computer's names, with or without a hosts file", async () => {
    const { find, server } = await open('');
    for (const name of ['localhost', 'shop.localhost']) {
      expect(await find(name)).toEqual(['127.0.0.1', '::1']);
    }
    const lookup = createLookup({ name_servers: [server.address], hosts_file: '/nowhere/hosts' });
    const { signal } = new AbortController();
    expect(await lookup('localhost', signal)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(server.asked).toEqual([]);
  });

  it('leaves names of the local network to the operating system', { timeout: 20_000 }, async () => {
    const { find, server } = await open();
    for (const name of ['no-such-host-here', 'nothing.home.arpa']) await find(name).catch(() => undefined);
    expect(server.asked).toEqual([]);
  });

  it('ends with its signal, and asks no more afterwards', async () => {
    const { find, server } = await open();
    const abort = new AbortController();
    const found = find('slow.example', abort.signal);
    await expect.poll(() => server.asked.length).toBe(2);
    abort.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
    await expectQuiet(server);
    expect(server.asked).toHaveLength(2);
    await expect(find('four.example', abort.signal)).rejects.toThrow('enough');
  });

  it('ends on its own if no name server answers', { timeout: 20_000 }, async () => {
    const { find, server } = await open();
    await expect(find('slow.example')).rejects.toThrow(/ETIMEOUT|in time/);
    await expectQuiet(server);
  });

  it('does not wait for another lookup', async () => {
    const { find, server } = await open();
    const aborts = Array.from({ length: 100 }, () => new AbortController());
    const slow = aborts.map(({ signal }) => find('slow.example', signal));
    await expect.poll(() => server.asked.length).toBeGreaterThanOrEqual(200);
    expect(await find('both.example')).toHaveLength(3);
    for (const abort of aborts) abort.abort(new Error('enough'));
    const ends = await Promise.allSettled(slow);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});
