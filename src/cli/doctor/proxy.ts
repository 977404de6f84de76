import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.js';
import { toShownProxy } from '../../config/proxy.js';
import { ok, problem, type Check } from './check.js';

/** Says which proxy the marketplace is called through, and whether the certificates that Node trusts in addition can be read. */
export async function checkProxy({
  marketplace_proxy,
  extra_ca_certs,
}: Pick<Config, 'marketplace_proxy' | 'extra_ca_certs'>): Promise<Check[]> {
  const checks: Check[] = [];
  if (marketplace_proxy !== undefined) {
    checks.push(ok('proxy', `The marketplace is called through ${toShownProxy(marketplace_proxy)}.`));
  }
  if (extra_ca_certs !== undefined && !(await isReadable(extra_ca_certs))) {
    checks.push(
      problem(
        'proxy',
        `NODE_EXTRA_CA_CERTS names ${extra_ca_certs}, which cannot be read, so Node ignores it.`,
        'Name a file of certificates in PEM form, or unset NODE_EXTRA_CA_CERTS.',
      ),
    );
  }
  return checks;
}

async function isReadable(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}
