import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod/v3';
import { ROOT } from '../architecture/sources.js';
import { readDescription, writeDescription, type PackageJson } from './descriptions.js';

/* The manifests' required fields and the ones we use, as documented in November 2026. */

const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const version = z.string().regex(/^\d+\.\d+\.\d+$/);
const mcpServers = z.record(
  z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string()).optional() }).strict(),
);
const author = z.object({
  name: z.string(),
  email: z.string().email().optional(),
  url: z.string().url().optional(),
});

const MANIFESTS = {
  '.claude-plugin/plugin.json': z
    .object({
      name,
      version,
      description: z.string(),
      author,
      repository: z.string().url(),
      license: z.string(),
      keywords: z.array(z.string()),
      skills: z.string().startsWith('./'),
      mcpServers,
    })
    .strict(),
  '.claude-plugin/marketplace.json': z
    .object({
      name,
      description: z.string(),
      owner: author,
      plugins: z
        .array(z.object({ name, source: z.string().startsWith('./'), description: z.string() }).strict())
        .min(1),
    })
    .strict(),
  'gemini-extension.json': z.object({ name, version, description: z.string(), mcpServers }).strict(),
};

const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;

it.each(Object.entries(MANIFESTS))('%s has the form that its program reads', (file, schema) => {
  expect(schema.safeParse(read(file)).error?.issues).toBeUndefined();
});

it.each(['.claude-plugin/plugin.json', 'gemini-extension.json'])(
  '%s starts this version of the package over stdio; npm run readme writes it',
  async (file) => {
    const own = await readDescription<PackageJson>('package.json');
    const args = ['-y', `${own.name}@${own.version}`, 'stdio'];
    const started = { version: own.version, mcpServers: { 'listing-service': { command: 'npx', args } } };
    const text = await writeDescription({ ...read(file), name: own.name, ...started }, own.prettier);
    await expect(text).toMatchFileSnapshot(join(ROOT, file));
  },
);

it('the plugin includes the skills, and the list of plugins includes the plugin', () => {
  const plugin = MANIFESTS['.claude-plugin/plugin.json'].parse(read('.claude-plugin/plugin.json'));
  expect(existsSync(join(ROOT, plugin.skills, 'list-a-product', 'SKILL.md'))).toBe(true);
  const { plugins } = MANIFESTS['.claude-plugin/marketplace.json'].parse(
    read('.claude-plugin/marketplace.json'),
  );
  expect(plugins).toMatchObject([{ name: plugin.name, source: './' }]);
});
