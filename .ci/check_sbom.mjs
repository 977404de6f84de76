// Compares the installed packages with the SBOM next to them.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SBOM_FILE } from './sbom.mjs';

/**
 * Checks that every package in the folder's node_modules is on its list in exactly that version, and that the
 * packages bundled into its files are, too.
 */
export function checkSbom(folder) {
  const { bomFormat, components } = JSON.parse(readFileSync(join(folder, SBOM_FILE), 'utf8'));
  assert.equal(bomFormat, 'CycloneDX');
  const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\//, ''))));
  for (const installed of listInstalled(join(folder, 'node_modules'))) {
    assert(listed.has(installed), `${installed} is installed and not on the list`);
  }
  const licenses = readFileSync(join(folder, 'dist', 'src', 'third_party_licenses.txt'), 'utf8');
  for (const [, name, version] of licenses.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d\S*) \(.*\)$/gm)) {
    assert(listed.has(`${name}@${version}`), `${name} ${version} is part of the program and not on the list`);
  }
}

function listInstalled(node_modules) {
  if (!existsSync(node_modules)) return [];
  return readdirSync(node_modules)
    .filter((entry) => !entry.startsWith('.'))
    .flatMap((entry) =>
      entry.startsWith('@')
        ? readdirSync(join(node_modules, entry)).map((name) => `${entry}/${name}`)
        : [entry],
    )
    .flatMap((entry) => {
      const folder = join(node_modules, entry);
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return [`${name}@${version}`, ...listInstalled(join(folder, 'node_modules'))];
    });
}
