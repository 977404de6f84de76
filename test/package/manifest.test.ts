import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { z } from 'zod/v3';
import { expect, it } from 'vitest';
import { listSettings, loadConfig } from '../../src/config.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';
import { manifestSchema } from './manifest_schema.js';
import { readDescription, toRepositoryUrl, writeDescription, type PackageJson } from './descriptions.js';

type Manifest = z.infer<typeof manifestSchema>;

it('manifest.json lists the tools and names this version; npm run readme writes it', async () => {
  const own = await readDescription<PackageJson>('package.json');
  const manifest = await readDescription<Manifest>('manifest.json');
  const entry_point = own.bin['listing-service'];
  const text = await writeDescription(
    {
      ...manifest,
      name: own.name,
      version: own.version,
      description: own.description,
      author: { name: own.author },
      repository: { ...manifest.repository, url: toRepositoryUrl(own) },
      license: own.license,
      keywords: own.keywords,
      server: {
        ...manifest.server,
        entry_point,
        mcp_config: {
          ...manifest.server.mcp_config,
          args: [`\${__dirname}/${entry_point}`, 'stdio', '--bundle'],
        },
      },
      tools: operations.map(({ id, title }) => ({ name: id, description: title })),
    },
    own.prettier,
  );
  await expect(text).toMatchFileSnapshot(join(ROOT, 'manifest.json'));
});

it('manifest.json asks for existing settings, and each question is one of them', async () => {
  const { server, user_config } = await readDescription<Manifest>('manifest.json');
  const { env } = server.mcp_config;
  const settings = new Set(listSettings().map(({ variable }) => variable));
  expect(Object.keys(env).filter((variable) => !settings.has(variable))).toEqual([]);
  const asked = Object.keys(user_config).map((name) => `\${user_config.${name}}`);
  expect(Object.values(env).toSorted()).toEqual(asked.toSorted());
});

it('an empty form sets nothing', async () => {
  const { server } = await readDescription<Manifest>('manifest.json');
  expect(loadConfig({}, server.mcp_config.env)).toEqual(loadConfig({}, {}));
});

it('manifest.json matches the format of bundles', async () => {
  expect(manifestSchema.safeParse(await readDescription('manifest.json')).error?.issues).toBeUndefined();
});

it.each([
  ['an unknown field', { licence: 'MIT' }],
  ['a link that is not https', { support: 'http://example.com' }],
  ['no privacy policy', { privacy_policies: [] }],
  ['a choice of an unknown type', { user_config: { mode: { type: 'enum', title: 'a', description: 'b' } } }],
])('the format of bundles refuses %s', async (_what, wrong) => {
  const manifest = await readDescription<Manifest>('manifest.json');
  expect(manifestSchema.safeParse({ ...manifest, ...wrong }).success).toBe(false);
});

it('the links in manifest.json lead to existing pages in this repository', async () => {
  const own = await readDescription<PackageJson>('package.json');
  const { homepage, documentation, support, privacy_policies } =
    await readDescription<Manifest>('manifest.json');
  const url = toRepositoryUrl(own);
  expect([homepage, support, privacy_policies[0]]).toEqual([url, `${url}/issues`, `${url}#privacy`]);
  await readFile(join(ROOT, documentation.replace(`${url}/blob/main/`, '')));
  expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain('\n## Privacy\n');
});

it('the icon of the bundle is a square PNG drawn from the icon of the pages', async () => {
  const { icon } = await readDescription<Manifest>('manifest.json');
  const drawn = await sharp(join(ROOT, icon)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([drawn.info.width, drawn.info.height]).toEqual([512, 512]);
  const source = await readFile(join(ROOT, 'src/pages/icon.svg'), 'utf8');
  const fill = /fill="#([0-9a-f]{6})"/.exec(source)?.[1] ?? '';
  const middle = (256 * 512 + 256) * 4;
  expect(drawn.data.subarray(middle, middle + 3).toString('hex')).toBe(fill);
});
