// What goes into the package and is made for it: the exact versions that it was tested with, the list of what it is made of, and a
// README with the project's address.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.mjs';
import { fillReadme, restoreReadme } from './readme.mjs';
import { buildPackageSbom, SBOM_FILE, writeSbom } from './sbom.mjs';

const readme = join(root, 'README.md');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changeReadme = (change) => writeFileSync(readme, change(readFileSync(readme, 'utf8'), repository.url));

const shrinkwrap = join(root, 'npm-shrinkwrap.json');
if (process.argv.includes('--undo')) {
  for (const file of [shrinkwrap, join(root, SBOM_FILE)]) rmSync(file, { force: true });
  changeReadme(restoreReadme);
} else {
  writeSbom(root, buildPackageSbom());
  copyFileSync(join(root, 'package-lock.json'), shrinkwrap);
  changeReadme(fillReadme);
}
