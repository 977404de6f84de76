// What a package, a bundle or an image is made of, in CycloneDX: exact versions and hashes, from the lockfiles alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APART } from './apart.mjs';
import { root, run } from './package.mjs';

export const SBOM_FILE = 'sbom.cdx.json';

/** What npm installs for the package, and what is joined into its files. */
export function buildPackageSbom() {
  return listLocked(root, { isOptionalIn: true });
}

/**
 * What the image and the bundle hold: the packages that are joined into the program's files, and those that stand apart.
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
 * npm's own list of a folder's lockfile, as far as its dependencies lead. With `--omit=dev` npm leaves out packages that the program
 * needs too. The package itself is the first of `dependencies`.
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
    // npm calls it by its folder.
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name, type: 'application' } },
    // npm calls a package by its alias, if it has one.
    components: sbom.components
      .filter((one) => reached.has(one['bom-ref']))
      .map((one) => ({ ...one, name: toName(one['bom-ref']) })),
    dependencies: [...reached].map((ref) => ({ ref, dependsOn: byRef.get(ref) ?? [] })),
  };
}

/** What both lists have is the same package. */
function dropTwins(all, getRef) {
  return [...new Map(all.map((one) => [getRef(one), one])).values()];
}

/** The name of the package that a dependency is, which an alias hides. */
function toPackage([name, wanted]) {
  return /^npm:(@?[^@]+)@/.exec(wanted)?.[1] ?? name;
}

/** Of `name@version`. */
function toName(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}
