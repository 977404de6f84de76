import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type ServerOptions } from 'node:https';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';
import { checkPublished } from '../../src/cli/doctor/marketplace.js';
import { startConnectProxy } from '../marketplace/connect_proxy.js';
import { examineFacts } from '../../src/compose/published_document.js';
import { buildCertificate } from '../media/certificate.js';
import { answer, LOOPBACK, portOf } from '../media/sample.js';
import { readTable } from '../published/table.js';
import { buildEnvironment, runCli } from '../surfaces/faces.js';

/* Our knowledge of the marketplace's rules, compared with a document like the one the marketplace publishes. */

const NOTHING_FREED = {
  egress_allow_cidrs: [],
  https_proxy: undefined,
  no_proxy: [],
};
const CREATE = '/v3/application/shops/{shop_id}/listings';
const NEWER = 'Install the newest release, which has newer rules.';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facts-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Changed = { description?: string; enum?: string[] };
type Body = { properties: Record<string, Changed>; required: string[] };

/** Today's document with the sentences its descriptions would have, modified by `change`. */
function buildDocument(
  change: (parts: { paths: ReturnType<typeof readTable>['paths']; create: Body }) => void = () => undefined,
): string {
  const { paths, components } = readTable();
  const { content } = paths[CREATE]?.['post']?.requestBody ?? { content: {} };
  const create = Object.values(content)[0]?.schema as Body;
  const describe = (name: string, text: string): void => {
    create.properties[name] = { ...create.properties[name], description: text };
  };
  describe('title', `As it stands. (regex: /${MARKETPLACE_FACTS.title_forbidden}/u) More.`);
  describe('tags', `(regex: /${MARKETPLACE_FACTS.tag_forbidden}/u)`);
  describe('materials', `(regex: /${MARKETPLACE_FACTS.word_forbidden}/u)`);
  describe(
    'styles',
    `up to two styles (regex: /${MARKETPLACE_FACTS.word_forbidden}/u) limited to 45 characters`,
  );
  describe('image_ids', 'up to 20 images');
  change({ paths, create });
  return JSON.stringify({ openapi: '3.0.2', paths, components });
}

async function save(text: string): Promise<string> {
  const file = join(folder, 'document.json');
  await writeFile(file, text);
  return file;
}

async function compare(change?: Parameters<typeof buildDocument>[0]) {
  return examineFacts(NOTHING_FREED, await save(buildDocument(change)));
}

describe('the check of the published document', () => {
  it('passes if it says what this release knows', async () => {
    const examined = await compare();
    expect(examined).toEqual({ source: join(folder, 'document.json'), differences: [] });
    expect(checkPublished(examined)).toEqual([
      {
        name: 'published rules',
        status: 'ok',
        message: `The rules in ${join(folder, 'document.json')} match this release.`,
        remedy: null,
      },
    ]);
  });

  it('passes for a new year, because this release computes periods from the calendar', async () => {
    const renamed = new Map([
      ['2020_2026', '2020_2027'],
      ['2007_2009', '2008_2009'],
      ['before_2007', 'before_2008'],
      ['2000_2006', '2000_2007'],
    ]);
    const examined = await compare(({ create }) => {
      const { when_made } = create.properties;
      when_made!.enum = when_made!.enum!.map((period) => renamed.get(period) ?? period);
    });
    expect(examined).toMatchObject({ differences: [] });
  });

  it('names each period that was added or removed', async () => {
    const examined = await compare(({ create }) => {
      const { when_made } = create.properties;
      when_made!.enum = when_made!.enum!.map((period) => (period === '2010_2019' ? '2012_2019' : period));
    });
    expect(checkPublished(examined).map(({ status, message, remedy }) => [status, message, remedy])).toEqual([
      ['warning', 'when_made now accepts 2012_2019, which this release does not know.', NEWER],
      ['warning', 'when_made no longer accepts 2010_2019, which this release sends.', NEWER],
    ]);
  });

  it.each<[string, Parameters<typeof buildDocument>[0], string]>([
    [
      'other characters',
      ({ create }) => (create.properties['tags']!.description = String.raw`(regex: /[^\p{L}]/u)`),
      String.raw`tags now must not contain [^\p{L}]; this release knows ${MARKETPLACE_FACTS.tag_forbidden}.`,
    ],
    [
      'more photos',
      ({ create }) => (create.properties['image_ids']!.description = 'up to 30 images'),
      'The maximum number of photos of a listing is now 30; this release knows 20.',
    ],
    [
      'a missing count',
      ({ create }) => (create.properties['image_ids']!.description = 'as many as you like'),
      'The document no longer states the maximum number of photos of a listing; this release knows 20.',
    ],
    [
      'a new required field',
      ({ create }) => create.required.push('safety_sheet'),
      'createDraftListing now requires safety_sheet.',
    ],
    [
      'a removed operation',
      ({ paths }) => delete paths['/v3/application/users/me'],
      'getMe, which this release uses, is gone.',
    ],
    [
      'a moved operation',
      ({ paths }) => {
        paths['/v4/me'] = paths['/v3/application/users/me']!;
        delete paths['/v3/application/users/me'];
      },
      'getMe is now GET /v4/me instead of GET /v3/application/users/me.',
    ],
    [
      'another scope',
      ({ paths }) => (paths['/v3/application/users/me']!['get']!.security = [{ oauth2: ['profile_r'] }]),
      'getMe now needs the scope profile_r instead of the scope shops_r.',
    ],
    [
      'another type of body',
      ({ paths }) => {
        const { requestBody } = paths[CREATE]!['post']!;
        requestBody!.content = { 'application/json': Object.values(requestBody!.content)[0]! };
      },
      'createDraftListing now takes application/json instead of application/x-www-form-urlencoded.',
    ],
    [
      'unknown choices',
      ({ create }) => create.properties['who_made']!.enum!.push('evil\u202e\n\u0007x'.repeat(40)),
      `who_made now accepts ${'evil x'.repeat(13)}ev…, which this release does not know.`,
    ],
  ])('reports %s in one sentence', async (_what, change, sentence) => {
    expect(await compare(change)).toMatchObject({ differences: [sentence] });
  });

  it.each([
    ['not JSON', 'not { json'],
    ['other JSON', '{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a"}}}}'],
    ['nothing', ''],
  ])('says that a document that is %s cannot be compared', async (_what, text) => {
    const file = await save(text);
    const [check] = checkPublished(await examineFacts(NOTHING_FREED, file));
    expect(check?.message).toBe(
      `Not compared: ${file} could not be read: it is not the document of the marketplace's interface.`,
    );
    expect(check?.status).toBe('problem');
  });

  it('fails for a file that is missing, not a document, or too large', async () => {
    const file = await save('{}');
    await truncate(file, 17 * 1024 * 1024);
    expect(await examineFacts(NOTHING_FREED, file)).toEqual({
      source: file,
      unreadable: 'it has more than 16 MiB',
    });
    expect(await examineFacts(NOTHING_FREED, folder)).toEqual({
      source: folder,
      unreadable: 'it is not a file',
    });
    const missing = await examineFacts(NOTHING_FREED, join(folder, 'none.json'));
    expect(missing).toMatchObject({ unreadable: expect.stringContaining('ENOENT') });
  });
});

describe("the check of a document's URL", () => {
  const HOST = 'etsy.example';

  /** Serves it, and examines that URL. */
  async function serve(onRequest: RequestListener, network: object = { egress_allow_cidrs: LOOPBACK }) {
    const { key, cert } = buildCertificate(HOST);
    const server = createServer({ key, cert } satisfies ServerOptions, onRequest);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `https://${HOST}:${portOf(server)}/3.0.0.json`;
    return examineFacts(NOTHING_FREED, url, { ca: cert, lookup: answer('127.0.0.1'), ...network });
  }

  it('downloads and compares the document', async () => {
    const text = buildDocument(({ create }) => create.required.push('safety_sheet'));
    expect(await serve((_request, response) => response.end(text))).toMatchObject({
      differences: ['createDraftListing now requires safety_sheet.'],
    });
  });

  it('goes through the proxy for the marketplace’s own address', async () => {
    const own = 'www.etsy.com';
    const { key, cert } = buildCertificate(own);
    const server = createServer({ key, cert }, (_request, response) =>
      response.end(buildDocument(() => undefined)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const proxy = await startConnectProxy(portOf(server));
    onTestFinished(() => proxy.close());
    const behind = { ...NOTHING_FREED, https_proxy: proxy.url };
    const offline = { ca: cert, lookup: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await examineFacts(behind, undefined, offline)).toMatchObject({ differences: [] });
    expect(proxy.asked.map(({ target }) => target)).toEqual([`${own}:443`]);
    const named = await examineFacts(behind, 'https://documents.example.com/3.0.0.json', offline);
    expect(named).toHaveProperty('unreachable');
    expect(proxy.asked).toHaveLength(1);
  });

  it('skips an address that returns no document, because this computer may be offline', async () => {
    const refused = await serve((_request, response) => response.writeHead(302, { location: '/x' }).end());
    expect(refused).toMatchObject({ unreachable: expect.stringContaining('302') });
    const [check] = checkPublished(refused);
    expect(check).toMatchObject({
      status: 'skipped',
      message: expect.stringMatching(/^Not compared: https:/),
    });
  });

  it("reads no more than a document's maximum size, and nothing in a private network", async () => {
    const endless = await serve((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const send = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', send).on('error', () => undefined);
      send();
    });
    expect(endless).toMatchObject({ unreachable: expect.any(String) });
    const asked: unknown[] = [];
    const inside = await serve((request, response) => {
      asked.push(request.url);
      response.end('{}');
    }, {});
    expect([inside, asked]).toMatchObject([{ unreachable: expect.any(String) }, []]);
  });
});

/** Runs `doctor` as a process and summarizes it. */
async function run(...args: string[]) {
  const { code, stdout } = await runCli(['doctor', '--json', ...args], buildEnvironment(folder));
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[] };
  return { code, ok, checks: checks.map(({ name, status }) => [name, status]) };
}

describe('the command doctor --facts', { timeout: 60_000 }, () => {
  const RUNTIME = ['runtime', 'ok'];

  it('checks only the rules, and fails if the given file is missing', async () => {
    const file = await save(buildDocument());
    expect(await run('--facts', '--document', file)).toEqual({
      code: 0,
      ok: true,
      checks: [RUNTIME, ['rules', 'ok'], ['published rules', 'ok']],
    });
    expect(await run('--document', join(folder, 'none.json'))).toEqual({
      code: 1,
      ok: false,
      checks: [RUNTIME, ['rules', 'ok'], ['published rules', 'problem']],
    });
    expect(await run('--facts', '--document', 'https://offline.invalid/3.0.0.json')).toEqual({
      code: 0,
      ok: true,
      checks: [RUNTIME, ['rules', 'ok'], ['published rules', 'skipped']],
    });
  });
});
