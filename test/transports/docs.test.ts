import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERROR_CODES } from '../../schemas/error.js';
import { listErrors } from '../../src/core/operations/operation.js';
import { buildPackagedDocs } from '../../src/transports/pages/docs/package.js';
import { listFields } from '../../src/transports/pages/docs/fields.js';
import { renderMarkdown } from '../../src/transports/pages/docs/markdown.js';
import { EVENTS } from '../../src/transports/events.js';
import { buildAnswerSchema, buildInputSchema } from '../../src/transports/json_schema.js';
import { operations } from '../../tools/index.js';
import { serveSample } from './sample.js';

const rate_limits = { per_second: 2, per_day: 5000 };
const packaged = buildPackagedDocs({ operations, base_url: 'http://localhost:3000', rate_limits });
const reference = String(packaged.get('index.html'));

const getPage = (id: string) => String(packaged.get(`operations-${id}.html`));
const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const listIds = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const getLabel = (tag: string) => / aria-label="([^"]+)"/.exec(tag)?.[1];
const listMarkdownLinks = (text: string) =>
  [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
const listLinks = (page: string) => [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);

describe('the reference', () => {
  it('has one anchor for every operation, code and event', () => {
    const ids = listIds(reference);
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [...operations.map(({ id }) => id), ...ERROR_CODES, ...EVENTS.map(({ type }) => type)];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has a page for every operation, with its fields (nested ones too), its answer and its error codes', () => {
    for (const operation of operations) {
      const page = getPage(operation.id);
      const fields = [
        ...listFields(buildInputSchema(operation)),
        ...listFields(buildAnswerSchema(operation)),
      ];
      for (const { path } of fields) expect(page).toContain(`<code>${path}</code>`);
      for (const code of listErrors(operation)) expect(page).toContain(`href="index.html#${code}"`);
      expect(page).toContain(`<h1>${operation.title}</h1>`);
    }
    const page = getPage('listing_create');
    for (const path of ['listing.title', 'images[].rank', 'variations.offerings[].sku']) {
      expect(page).toContain(`<code>${path}</code>`);
    }
    expect(page).toContain('1 to 140 characters');
  });

  it('describes every event with the fields of its body and a sample', () => {
    const page = String(packaged.get('events.html'));
    for (const { type, body, example } of EVENTS) {
      const own = page.slice(
        page.indexOf(` id="${type}"`),
        page.indexOf('</section>', page.indexOf(` id="${type}"`)),
      );
      for (const { path } of listFields(body)) expect(own).toContain(`<code>${path}</code>`);
      expect(own).toContain(escape(JSON.stringify(example, undefined, 2)));
    }
  });

  it('lists all pages on each page, and marks the open one', () => {
    const names = [...packaged.keys()].filter((name) => name.endsWith('.html'));
    expect(names.length).toBeGreaterThan(operations.length);
    for (const name of names) {
      const page = String(packaged.get(name));
      const list = page.slice(page.indexOf('id="all-pages"'));
      expect(names.filter((other) => !list.includes(`href="${other}"`))).toEqual([]);
      expect([name, /href="([^"]*)" aria-current="page"/.exec(list)?.[1]]).toEqual([name, name]);
    }
  });

  it('states the limits that apply here', async () => {
    const { url } = await serveSample({ rate_limits: { per_second: 7, per_day: 77 } });
    expect(await (await fetch(`${url}/docs`)).text()).toContain('7 calls in any second and 77 in 24 hours');
  });
});

describe('the fields in the reference', () => {
  it('have a path, type, limits and default', () => {
    const fields = listFields({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 9, description: 'A name' },
        size: { type: ['integer', 'null'], minimum: 0, default: 3 },
        tags: {
          anyOf: [{ type: 'array', maxItems: 2, items: { type: 'string', maxLength: 5 } }, { type: 'null' }],
        },
        kind: { type: 'string', enum: ['a', 'b'] },
        by: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { id: { type: 'integer' } } },
        },
      },
    });
    expect(
      fields.map(({ path, is_required, type, limits, description }) => [
        path + (is_required ? '!' : ''),
        type,
        limits,
        description,
      ]),
    ).toEqual([
      ['name!', 'text', '1 to 9 characters', 'A name'],
      ['size', 'whole number or null', 'at least 0', 'Default: 3.'],
      ['tags', 'list of texts or null', 'at most 2; each at most 5 characters', ''],
      ['kind', 'a | b', '', ''],
      ['by', 'object', '', ''],
      ['by.*', 'object', '', ''],
      ['by.*.id', 'whole number', '', ''],
    ]);
  });
});

describe('packaged pages', () => {
  it('work from a folder: every link leads to an existing file or anchor', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, page] of packaged) {
      if (!name.endsWith('.html')) continue;
      for (const href of listLinks(String(page)).filter((one) => !one.startsWith('https:'))) {
        const [file = '', anchor] = href.split('#');
        const target = packaged.get(file === '' ? name : file);
        expect([name, href, target === undefined]).toEqual([name, href, false]);
        const ids = listIds(String(target));
        expect([name, href, anchor === undefined || ids.includes(anchor)]).toEqual([name, href, true]);
      }
    }
  });

  // Screen readers list regions by name, so users cannot distinguish duplicates on a page.
  it('give each region its own name, such as tables under one heading', () => {
    for (const [name, page] of packaged) {
      const regions = (String(page).match(/<[^>]* role="region"[^>]*>/g) ?? []).map(getLabel);
      const twice = regions.filter((label, index) => regions.indexOf(label) !== index);
      expect([name, ...twice]).toEqual([name]);
    }
  });

  it('are the files that the build wrote', async () => {
    const built = new URL('../../dist/src/docs/', import.meta.url);
    for (const name of packaged.keys()) {
      expect((await readFile(new URL(name, built), 'utf8')).length).toBeGreaterThan(0);
    }
  });
});

describe('llms.txt', () => {
  it('links to the Markdown of every guide and to every operation, and names every skill', async () => {
    const { url } = await serveSample({ operations });
    const response = await fetch(`${url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await response.text();
    const targets = listMarkdownLinks(text);
    expect(targets).toEqual(expect.arrayContaining(['/docs/sellers.md', '/docs/operations/listing_undo']));
    for (const target of targets) {
      const page = await fetch(url + target);
      const isMarkdown = (await page.text()).startsWith('# ');
      expect([target, page.status, isMarkdown === target.endsWith('.md')]).toEqual([target, 200, true]);
    }
    expect(text.match(/skill:\/\/[a-z-]+\/SKILL\.md/g)).toHaveLength(6);
  });

  it('is packaged with links to existing files', async () => {
    const built = new URL('../../dist/src/docs/', import.meta.url);
    for (const target of listMarkdownLinks(String(packaged.get('llms.txt')))) {
      expect((await readFile(new URL(target, built), 'utf8')).length).toBeGreaterThan(0);
    }
  });
});

describe('served pages', () => {
  it('link only to existing pages, and contain neither scripts nor inline styles', async () => {
    const { url } = await serveSample({ operations });
    const start = await (await fetch(`${url}/docs`)).text();
    const paths = [
      '/docs',
      '/docs/search?q=listing',
      ...listLinks(start).filter((one) => /^\/docs\/[^#]+$/.test(one)),
    ];
    expect(paths).toEqual(
      expect.arrayContaining(['/docs/operations/stores_list', '/docs/events', '/docs/webhooks']),
    );
    const known = new Map<string, number>();
    for (const path of new Set(paths)) {
      const page = await (await fetch(url + path)).text();
      expect(page).not.toMatch(/<script|<style| style=/);
      // The dashboard is a separate site.
      for (const href of listLinks(page).filter((one) => one.startsWith('/') && one !== '/dashboard')) {
        const target = href.split('#', 1)[0] ?? '';
        if (!known.has(target)) known.set(target, (await fetch(url + target)).status);
        expect([path, href, known.get(target)]).toEqual([path, href, 200]);
      }
    }
  });

  it.each([
    ['listing_undo', '/docs/operations/listing_undo'],
    ['POST /uploads', '/docs/operations/file_upload'],
    ['IDEMPOTENCY_KEY_REUSED', '/docs#IDEMPOTENCY_KEY_REUSED'],
    ['order.shipped', '/docs/events#order.shipped'],
    ['processing_profile_defaulted', '/docs/warnings#chosen-for-you'],
    ['back up', '/docs/operators#back-up-and-restore'],
    ['taxonomy_id', '/docs/operations/listing_create'],
  ])('are searchable: "%s" finds %s', async (words, href) => {
    const { url } = await serveSample({ operations });
    const page = await (await fetch(`${url}/docs/search?${new URLSearchParams({ q: words })}`)).text();
    const results = page.slice(page.indexOf('class="found"'), page.indexOf('</ol>'));
    expect(listLinks(results)).toContain(href);
  });

  it('say when nothing is found, and show the search term as text', async () => {
    const { url } = await serveSample();
    for (const q of ['<script>alert(1)</script>', 'nothing-of-the-kind', '', 'x'.repeat(5_000)]) {
      const response = await fetch(`${url}/docs/search?${new URLSearchParams({ q })}`);
      const page = await response.text();
      expect([response.status, page.includes('<script')]).toEqual([200, false]);
      expect(page).toContain(q === '' ? 'Write a word' : 'Nothing has all of these words');
    }
  });
});

it('pages, search and OpenAPI are open to everyone, and rendered once', async () => {
  let reads = 0;
  const counted = operations.slice(0, 3).map(
    (operation) =>
      new Proxy(operation, {
        get: (target, key) => ((reads += 1), Reflect.get(target, key) as unknown),
      }),
  );
  const { url } = await serveSample({ operations: counted });
  const id = operations[0]?.id ?? '';
  for (const path of ['/docs', `/docs/operations/${id}`, `/docs/search?q=${id}`, '/api/v1/openapi.json']) {
    const ask = async () => (await fetch(url + path)).text();
    const first = await ask();
    expect(first).toContain(id);
    const before = reads;
    expect(await ask()).toBe(first);
    expect({ path, reads: reads - before }).toEqual({ path, reads: 0 });
  }
});

describe('Markdown', () => {
  it('becomes markup with anchors, and its own markup is escaped', () => {
    const markup = renderMarkdown(
      '## Back up & restore\n\n[x](webhooks.md#a) <b onclick="x">y</b>\n\n<script>',
      'served',
    );
    expect(markup).toContain('<h2 id="back-up--restore">');
    expect(markup).toContain('href="/docs/webhooks#a"');
    expect(markup).not.toMatch(/<b |<script/);
  });
});
