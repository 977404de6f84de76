// The contents of a package, a bundle or an image, in CycloneDX: exact versions and hashes, from the
// lockfiles only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APART } from './apart.mjs';
import { root, run } from './package.mjs';

export const SBOM_FILE = 'sbom.cdx.json';

/** The packages that npm installs, and those that are bundled into the files. */
export function buildPackageSbom() {
  return listLocked(root, { isOptionalIn: true });
}

/**
 * The contents of the image and the bundle: the packages that are bundled into the program's files, and those
 * that stay separate.
 *
 * @param {boolean} isOptionalIn whether optional packages are installed
 */
export function buildProductionSbom(isOptionalIn) {
  const joined = listLocked(root, { isOptionalIn, left_out: APART });
  const apart = listLocked(join(root, '.ci', 'production'), { isOptionalIn });
  const [top, ...inner] = joined.dependencies;
  const [top_apart, ...inner_apart] = apart.dependencies;
  const dependencies = [{ ...top, dependsOn: [...top.dependsOn, ...top_apart.dependsOn] }, ...inner];
  return {
    ...joined,
    components: dropTwins([...joined.components, ...apart.components], (one) => one['bom-ref']),
    dependencies: dropTwins([...dependencies, ...inner_apart], (one) => one.ref),
  };
}

export function writeSbom(folder, sbom) {
  writeFileSync(join(folder, SBOM_FILE), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

/**
 * npm's own SBOM of a folder's lockfile, reduced to what its dependencies reach. With `--omit=dev` npm leaves
 * out packages that the program needs too. The package itself is the first of `dependencies`.
 */
function listLocked(folder, { isOptionalIn, left_out = new Set() }) {
  const sbom = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], folder));
  const { name, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const wanted = new Set(
    Object.entries({ ...dependencies, ...(isOptionalIn && optionalDependencies) }).map(toPackage),
  );
  const top = sbom.metadata.component['bom-ref'];
  const byRef = new Map(sbom.dependencies.map((one) => [one.ref, one.dependsOn ?? []]));
  byRef.set(
    top,
    byRef.get(top).filter((ref) => wanted.has(toName(ref)) && !left_out.has(toName(ref))),
  );
  const reached = new Set();
  const reach = (ref) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of byRef.get(ref) ?? []) reach(next);
  };
  reach(top);
  return {
    ...sbom,
    // npm names it after its folder.
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name, type: 'application' } },
    // npm names a package by its alias, if it has one.
    components: sbom.components
      .filter((one) => reached.has(one['bom-ref']))
      .map((one) => ({ ...one, name: toName(one['bom-ref']) })),
    dependencies: [...reached].map((ref) => ({ ref, dependsOn: byRef.get(ref) ?? [] })),
  };
}

/** Entries that both lists have are the same package. */
function dropTwins(all, getRef) {
  return [...new Map(all.map((one) => [getRef(one), one])).values()];
}

/** The package behind a dependency, which an alias hides. */
function toPackage([name, wanted]) {
  return /^npm:(@?[^@]+)@/.exec(wanted)?.[1] ?? name;
}

/** For `name@version`. */
function toName(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}
