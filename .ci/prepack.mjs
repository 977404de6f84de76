// Generates the package's own files: the exact versions that it was tested with, its SBOM, a package.json
// that asks npm for nothing that is bundled into the program's files, and a README with the project's
// address.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listJoined, restoreJoined, root } from './package.mjs';
import { fillReadme, restoreReadme } from './readme.mjs';
import { buildPackageSbom, SBOM_FILE, writeSbom } from './sbom.mjs';

const readme = join(root, 'README.md');
const manifest = join(root, 'package.json');
const { repository } = JSON.parse(readFileSync(manifest, 'utf8'));
const changeReadme = (change) => writeFileSync(readme, change(readFileSync(readme, 'utf8'), repository.url));
const changePackage = (change) => writeFileSync(manifest, change(readFileSync(manifest, 'utf8')));

const shrinkwrap = join(root, 'npm-shrinkwrap.json');
if (process.argv.includes('--undo')) {
  for (const file of [shrinkwrap, join(root, SBOM_FILE)]) rmSync(file, { force: true });
  changeReadme(restoreReadme);
  changePackage(restoreJoined);
} else {
  writeSbom(root, buildPackageSbom());
  copyFileSync(join(root, 'package-lock.json'), shrinkwrap);
  changeReadme(fillReadme);
  changePackage(listJoined);
}
