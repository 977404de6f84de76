// What goes into the package and is made for it: the exact versions that it was tested with, and the list of what it is made of.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.mjs';
import { buildPackageSbom, SBOM_FILE, writeSbom } from './sbom.mjs';

const shrinkwrap = join(root, 'npm-shrinkwrap.json');
if (process.argv.includes('--undo')) {
  for (const file of [shrinkwrap, join(root, SBOM_FILE)]) rmSync(file, { force: true });
} else {
  writeSbom(root, buildPackageSbom());
  copyFileSync(join(root, 'package-lock.json'), shrinkwrap);
}
