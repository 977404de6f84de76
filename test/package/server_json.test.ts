import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod/v3';
import { listSettings } from '../../src/config.js';
import { ROOT } from '../architecture/sources.js';
import { readDescription, toRepositoryUrl, writeDescription, type PackageJson } from './descriptions.js';
import { serverSchema } from './server_schema.js';

type Server = z.infer<typeof serverSchema>;

it('server.json has this version and its settings; npm run readme writes it', async () => {
  const own = await readDescription<PackageJson>('package.json');
  const server = await readDescription<Server>('server.json');
  const [npm, image, bundle] = server.packages;
  const settings = new Map(listSettings().map(({ variable, description }) => [variable, description]));
  const describeAll = (variables: typeof npm.environmentVariables) =>
    variables.map(({ name, ...variable }) => ({ name, ...variable, description: settings.get(name) }));
  const isKnown = ({ name }: { name: string }) => settings.has(name);
  expect([...npm.environmentVariables, ...image.environmentVariables].every(isKnown)).toBe(true);
  const repository = toRepositoryUrl(own);
  const text = await writeDescription(
    {
      ...server,
      name: own.mcpName,
      repository: { ...server.repository, url: repository },
      version: own.version,
      packages: [
        {
          ...npm,
          identifier: own.name,
          version: own.version,
          environmentVariables: describeAll(npm.environmentVariables),
        },
        {
          ...image,
          identifier: image.identifier.replace(/:[^:]*$/, `:${own.version}`),
          environmentVariables: describeAll(image.environmentVariables),
        },
        {
          ...bundle,
          identifier: `${repository}/releases/download/v${own.version}/${own.name}-${own.version}.mcpb`,
          version: own.version,
        },
      ],
    },
    own.prettier,
  );
  await expect(text).toMatchFileSnapshot(join(ROOT, 'server.json'));
});

it('the image names its server, as the registry requires', async () => {
  const { mcpName } = await readDescription<PackageJson>('package.json');
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  expect(/^LABEL io\.modelcontextprotocol\.server\.name=(\S+)$/m.exec(dockerfile)?.[1]).toBe(mcpName);
});

it('server.json is accepted by the rules of the registry of MCP servers', async () => {
  expect(serverSchema.safeParse(await readDescription('server.json')).error?.issues).toBeUndefined();
});

it('the package proves to the registry who owns it', async () => {
  const own = await readDescription<PackageJson>('package.json');
  const [owner] = new URL(toRepositoryUrl(own)).pathname.slice(1).split('/');
  expect(own.mcpName).toBe(`io.github.${owner}/${own.name}`);
});

it.each([
  ['a range', { version: '^0.1.0' }],
  ['two slashes in the name', { name: 'io.github.a/b/c' }],
  ['a description that is too long', { description: 'x'.repeat(101) }],
  ['an unknown field', { licence: 'MIT' }],
  ['no image', { packages: [] }],
])('the registry would refuse %s', async (_what, wrong) => {
  const server = await readDescription<Server>('server.json');
  expect(serverSchema.safeParse({ ...server, ...wrong }).success).toBe(false);
});
