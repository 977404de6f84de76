import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/* The contents of a package, a bundle and an image: exact versions of the lockfiles, and the lists of them. */

const CI = resolve(import.meta.dirname, '..', '..', '.ci');

type Locked = { name?: string; version: string; integrity?: string; optional?: boolean };
type Sbom = {
  bomFormat: string;
  metadata: { component: { name: string } };
  components: { name: string; version: string; hashes?: { content: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** The value of an expression over the exports of one of our modules. */
async function evaluate<Result>(module: string, expression: string): Promise<Result> {
  const code = `import * as it from ${JSON.stringify(pathToFileURL(join(CI, module)).href)};
    process.stdout.write(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Result;
}

async function readLocked(folder: string): Promise<Map<string, Locked>> {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  return new Map(Object.entries(packages).map(([path, one]) => [path.replace(/^.*node_modules\//, ''), one]));
}

const listImages = (dockerfile: string) =>
  evaluate<string[]>(
    'docker/dockerfile.mjs',
    `it.parseDockerfile(${JSON.stringify(dockerfile)}).map(({ image }) => image)`,
  );
const listNames = ({ components }: Sbom) => components.map(({ name, version }) => `${name}@${version}`);

it('the lockfile of the image and the bundle has exact versions, equal to those of the other where possible', async () => {
  const [ours, production] = await Promise.all([
    readLocked(join(CI, '..')),
    readLocked(join(CI, 'production')),
  ]);
  production.delete('');
  for (const [name, { integrity }] of production)
    expect([name, integrity]).toEqual([name, expect.any(String)]);
  expect(production.get('sharp')).toEqual(ours.get('sharp'));
  expect(production.get('better-sqlite3-13')).toEqual({
    ...ours.get('better-sqlite3-13'),
    optional: undefined,
  });
});

it('npm installs the SQLite addon for Node 20 only there, and the other one from Node 22 on, without a script', async () => {
  const locked = await readLocked(join(CI, '..'));
  // npm silently skips an optional package that requires another Node. npm writes >=20 into the first entry
  // by itself: it was narrowed manually, otherwise newer Nodes would compile it for nothing.
  expect(locked.get('better-sqlite3')).toMatchObject({
    version: expect.stringMatching(/^12\./) as unknown,
    optional: true,
    engines: { node: '>=20 <22' },
  });
  expect(locked.get('better-sqlite3-13')).toMatchObject({
    name: 'better-sqlite3',
    version: expect.stringMatching(/^13\./) as unknown,
    optional: true,
    engines: { node: '>=22' },
  });
  expect(locked.get('better-sqlite3-13')).not.toHaveProperty('hasInstallScript');
});

it("the package's list names the packages of the lockfile, without those for development", async () => {
  const [sbom, locked] = await Promise.all([
    evaluate<Sbom>('sbom.mjs', 'it.buildPackageSbom()'),
    readLocked(join(CI, '..')),
  ]);
  expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual([
    'CycloneDX',
    'marketplace-listing-service',
  ]);
  const names = listNames(sbom);
  for (const name of ['fastify', 'better-sqlite3', 'sharp', '@opentelemetry/api']) {
    expect(names).toContain(`${name}@${locked.get(name)?.version}`);
  }
  expect(names.filter((name) => /^(vitest|typescript|prettier)@/.test(name))).toEqual([]);
  for (const { name, hashes } of sbom.components) expect([name, hashes?.length]).toEqual([name, 1]);
});

it.each([
  [true, true],
  [false, false],
])(
  "an image's list names the bundled and the separate packages (with optional ones: %s)",
  async (isIn, has) => {
    const sbom = await evaluate<Sbom>('sbom.mjs', `it.buildProductionSbom(${isIn})`);
    const names = listNames(sbom);
    expect(new Set(names).size).toBe(names.length);
    const production = await readLocked(join(CI, 'production'));
    const addons = names.filter((name) => /^(better-sqlite3|sharp)@/.test(name)).toSorted();
    const expected = ['better-sqlite3-13', ...(has ? ['sharp'] : [])];
    expect(addons).toEqual(
      expected.map((name) => `${production.get(name)?.name ?? name}@${production.get(name)?.version}`),
    );
    // Packages that the later addon no longer needs.
    expect(names.filter((name) => name.startsWith('prebuild-install@'))).toEqual([]);
    const joined = await readFile(join(CI, '..', 'dist', 'src', 'third_party_licenses.txt'), 'utf8');
    const parts = [...joined.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d\S*) \(.*\)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
    expect(parts.length).toBeGreaterThan(50);
    expect(parts.filter((part) => !names.includes(part))).toEqual([]);
  },
);

it('the image starts from one named base, which a digest can pin', async () => {
  const source = await readFile(join(CI, '..', 'Dockerfile'), 'utf8');
  const fixed = `node:24-slim@sha256:${'a'.repeat(64)}`;
  expect(await listImages(source)).toEqual(['node:24-slim', 'node:24-slim']);
  const changed = source.replace(/^(ARG NODE_IMAGE=).*$/m, `$1${fixed}`);
  expect(await listImages(changed)).toEqual([fixed, fixed]);
});
