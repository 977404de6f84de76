import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSettings, loadConfig } from '../../src/config.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';
import { readDescription, toRepositoryUrl, writeDescription, type PackageJson } from './descriptions.js';

/** Of the description of the bundle for Claude Desktop, what is looked at here. */
type Manifest = {
  repository: Record<string, string>;
  server: { mcp_config: { env: Record<string, string> } };
  user_config: Record<string, { default?: string | boolean }>;
};

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
        mcp_config: { ...manifest.server.mcp_config, args: [`\${__dirname}/${entry_point}`, 'stdio'] },
      },
      tools: operations.map(({ id, title }) => ({ name: id, description: title })),
    },
    own.prettier,
  );
  await expect(text).toMatchFileSnapshot(join(ROOT, 'manifest.json'));
});

it('manifest.json asks for settings that there are, and each question is one of them', async () => {
  const { server, user_config } = await readDescription<Manifest>('manifest.json');
  const { env } = server.mcp_config;
  const settings = new Set(listSettings().map(({ variable }) => variable));
  expect(Object.keys(env).filter((variable) => !settings.has(variable))).toEqual([]);
  const asked = Object.keys(user_config).map((name) => `\${user_config.${name}}`);
  expect(Object.values(env).toSorted()).toEqual(asked.toSorted());
});

it('an empty form is as if nothing was set', async () => {
  const { server } = await readDescription<Manifest>('manifest.json');
  expect(loadConfig({}, server.mcp_config.env)).toEqual(loadConfig({}, {}));
});
