import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LISTING_FEE, MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';
import { createHttpFace } from '../../../src/transports/index.js';
import { EVENTS } from '../../../src/transports/events.js';
import { createPromptGetter } from '../../../src/transports/mcp/prompts/get.js';
import { listOfferedPrompts } from '../../../src/transports/mcp/prompts/offered.js';
import { listOfferedSkills } from '../../../src/transports/mcp/skills.js';
import { buildOpenApi } from '../../../src/transports/openapi/document.js';
import { operations } from '../../../tools/index.js';
import { startService } from '../../service.js';

const IDS = new Set(operations.map(({ id }) => id));
const SKILLS = listOfferedSkills(IDS);

const without = (...left_out: string[]) => new Set([...IDS].filter((id) => !left_out.includes(id)));
const listNames = (names: ReadonlySet<string>) => listOfferedSkills(names).map(({ name }) => name);

async function connect(mode: 'legacy' | 'auto') {
  const service = await startService();
  onTestFinished(() => service.close());
  const { accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  const { key } = await accounts.createKey(account_id, 'test');
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  onTestFinished(() => face.close(0));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { 'x-service-api-key': key } };
  const url = new URL(`http://127.0.0.1:${face.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

describe.each(['legacy', 'auto'] as const)('the official client (%s)', (mode) => {
  it('lists, gets and verifies every skill', async () => {
    const skills = new SkillsClient(await connect(mode));
    expect(skills.supported).toBe(true);
    const { skills: entries, invalid } = await skills.list();
    expect(invalid).toEqual([]);
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(SKILLS.map(({ name }) => name));
    for (const entry of entries) {
      expect((await skills.get(entry.uri)).skill).toEqual(entry);
      const file = await skills.read(entry);
      expect(file).toMatchObject({ verified: true, mimeType: 'text/markdown' });
      expect(file.body?.trim()).toBe(SKILLS.find(({ uri }) => uri === entry.uri)?.body.trim());
    }
    await expect(skills.get('skill://nothing/SKILL.md')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('No skill has this URI. Call skills/list for the available ones.'),
    });
  });
});

describe.each(SKILLS.map((skill) => [skill.name, skill] as const))('the skill %s', (name, skill) => {
  it('stays within the limits of the format', () => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(skill.description.length).toBeLessThanOrEqual(1_024);
    expect(skill.compatibility.length).toBeLessThanOrEqual(500);
    expect(skill.text.split('\n').length).toBeLessThan(500);
  });

  it('names only operations, fields and values that exist', () => {
    const known = JSON.stringify(buildOpenApi(operations, EVENTS, 'http://localhost:3000'));
    const named = [...skill.body.matchAll(/`([^`]+)`/g)].flatMap(([, word = '']) => word.split('.'));
    expect(named.filter((word) => !new RegExp(`\\b${word}\\b`).test(known))).toEqual([]);
  });

  it('requires some of the operations it names, and is not offered without them', () => {
    const named = [...skill.body.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
    const needed = [...IDS].filter((id) => !listNames(without(id)).includes(name));
    expect(needed).not.toEqual([]);
    expect(named).toEqual(expect.arrayContaining(needed));
  });

  it('asks before it activates, and says what that costs', () => {
    const { body } = skill;
    const canActivate = /`(listing_create|listing_copy|listing_publish|batch_start)`/.test(body);
    expect({ name, asks: body.includes('only after the seller has said yes') }).toEqual({
      name,
      asks: canActivate,
    });
    for (const [cost] of body.matchAll(/\d[\d.]* USD/g)) expect(cost).toBe(LISTING_FEE);
  });
});

it('the skill list-a-product states the limits of the marketplace', () => {
  const { title_max_chars, tags_per_listing } = MARKETPLACE_FACTS;
  const text = SKILLS.find(({ name }) => name === 'list-a-product')?.body;
  expect(text).toContain(`at most ${title_max_chars} characters`);
  expect(text).toContain(`up to ${tags_per_listing} tags`);
});

it.each([
  ['change-many', ['batch_sheet', 'file_upload', 'listing_update', 'listing_undo']],
  ['copy-to-other-shops', ['listing_import']],
  ['why-did-it-fail', ['batches_list']],
])('the skill %s is offered without operations that only a part of it names', (name, left_out) => {
  expect(listNames(without(...left_out))).toContain(name);
});

it('prompts are offered if their operations are, even with the text of a skill that is not offered', () => {
  const batches = operations.filter(({ tag }) => tag === 'Batches').map(({ id }) => id);
  const names = without(...batches);
  const prompts = listOfferedPrompts(names);
  expect(prompts.map(({ name }) => name)).toEqual([
    'list_from_photos',
    'bring_my_shop_in',
    'change_price',
    'copy_listing',
    'explain_failure',
  ]);
  expect(listNames(names)).not.toContain('change-many');
  const given = { name: 'change_price', arguments: { listing: 'Mug', price: '30' } };
  const { messages } = createPromptGetter(prompts)(given, {} as never) as Record<string, unknown>;
  expect(JSON.stringify(messages)).toContain('For a single listing call `listing_update`');
});
