import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERROR_CODES } from '../../schemas/error.js';
import { listErrors } from '../../src/core/operation.js';
import { buildPackagedDocs } from '../../src/transports/pages/docs/package.js';
import { listFields } from '../../src/transports/pages/docs/fields.js';
import { renderMarkdown } from '../../src/transports/pages/docs/markdown.js';
import { EVENTS } from '../../src/transports/events.js';
import { buildInputSchema } from '../../src/transports/json_schema.js';
import { operations } from '../../tools/index.js';
import { serveSample } from './sample.js';

const rate_limits = { per_second: 2, per_day: 5000 };
const packaged = buildPackagedDocs({ operations, base_url: 'http://127.0.0.1:3000', rate_limits });
const reference = String(packaged.get('index.html'));

const listIds = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const getLabel = (tag: string) => / aria-label="([^"]+)"/.exec(tag)?.[1];
const listLinks = (page: string) => [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);

describe('the reference', () => {
  it('has an anchor for every operation, code and event, each once', () => {
    const ids = listIds(reference);
    expect(new Set(ids).size).toBe(ids.length);
    const wanted = [...operations.map(({ id }) => id), ...ERROR_CODES, ...EVENTS.map(({ type }) => type)];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('tells the fields of every operation, nested ones too, and the codes it can answer', () => {
    for (const operation of operations) {
      const section = reference.slice(reference.indexOf(`id="${operation.id}"`));
      const own = section.slice(0, section.indexOf('</section>'));
      for (const { path } of listFields(buildInputSchema(operation)))
        expect(own).toContain(`<code>${path}</code>`);
      for (const code of listErrors(operation)) expect(own).toContain(`href="#${code}"`);
    }
    for (const path of ['listing.title', 'images[].rank', 'variations.offerings[].sku']) {
      expect(reference).toContain(`<code>${path}</code>`);
    }
    expect(reference).toContain('1 to 140 characters');
  });

  it('tells the limits that hold here', async () => {
    const { url } = await serveSample({ rate_limits: { per_second: 7, per_day: 77 } });
    expect(await (await fetch(`${url}/docs`)).text()).toContain('7 calls in any second and 77 in 24 hours');
  });
});

describe('fields', () => {
  it('are told with path, type, limits and default', () => {
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
  it('open from a folder: every link leads to a file or an anchor that is there', async () => {
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

  // By which a screen reader lists them: two of one name on a page cannot be told apart.
  it('name each region differently, such as tables under one heading', () => {
    for (const [name, page] of packaged) {
      const regions = (String(page).match(/<[^>]* role="region"[^>]*>/g) ?? []).map(getLabel);
      const twice = regions.filter((label, index) => regions.indexOf(label) !== index);
      expect([name, ...twice]).toEqual([name]);
    }
  });

  it('are what the build wrote', async () => {
    const built = new URL('../../dist/src/docs/', import.meta.url);
    for (const name of packaged.keys()) {
      expect((await readFile(new URL(name, built), 'utf8')).length).toBeGreaterThan(0);
    }
  });
});

describe('served pages', () => {
  it('lead only to what is there, and hold neither scripts nor inline style', async () => {
    const { url } = await serveSample();
    const paths = [...packaged.keys()]
      .filter((name) => name.endsWith('.html'))
      .map((name) => (name === 'index.html' ? '/docs' : `/docs/${name.replace('.html', '')}`));
    for (const path of paths) {
      const page = await (await fetch(url + path)).text();
      expect(page).not.toMatch(/<script|<style| style=/);
      for (const href of listLinks(page).filter((one) => one.startsWith('/'))) {
        expect([path, href, (await fetch(url + href)).status]).toEqual([path, href, 200]);
      }
    }
  });
});

describe('Markdown', () => {
  it('becomes markup with anchors, and lets none of its own through', () => {
    const markup = renderMarkdown(
      '## Back up & restore\n\n[x](webhooks.md#a) <b onclick="x">y</b>\n\n<script>',
      'served',
    );
    expect(markup).toContain('<h2 id="back-up--restore">');
    expect(markup).toContain('href="/docs/webhooks#a"');
    expect(markup).not.toMatch(/<b |<script/);
  });
});
