import { loadConfig } from '../config.js';
import type { KeyLimits } from '../core/identity/accounts.js';
import { rotateMasterKey as rotate } from '../compose/rotate_master_key.js';
import { print, say, printJson } from './output.js';
import { buildSignInUrl, getAccount, withApp } from './with_app.js';

/**
 * Prints a link that opens the dashboard without a key. Anyone who can run this command can use the data
 * folder anyway.
 */
export async function signIn(flags: { account?: string }): Promise<void> {
  await withApp(async (app) => {
    print(await buildSignInUrl(app, await getAccount(app, flags.account)));
    say('It works once, within 15 minutes, while listing-service serve runs.');
  });
}

type Flags = { account?: string; json?: true };

export type CreateKeyFlags = Flags & { name: string; expiresIn?: string; readOnly?: true };

export async function createKey(flags: CreateKeyFlags): Promise<void> {
  const limits: KeyLimits = {
    ...(flags.expiresIn !== undefined && { life_ms: parseDuration(flags.expiresIn, '--expires-in') }),
    ...(flags.readOnly && { is_read_only: true }),
  };
  await withApp(async (app) => {
    const { accounts } = app.core;
    const isNew = flags.account !== undefined && !(await accounts.find(flags.account));
    const account = isNew ? await accounts.create(flags.account ?? '') : await getAccount(app, flags.account);
    if (isNew) say(`Account ${account.name} is new.`);
    const { key, key_id, expires_at } = await accounts.createKey(account.account_id, flags.name, limits);
    if (flags.json) {
      printJson({ key, key_id, ...(expires_at !== null && { expires_at }) });
      return;
    }
    print(`${key}\n\nKey ${key_id} of account ${account.name}. It is shown only once, so store it now.`);
    if (flags.readOnly) print('It is read-only.');
    if (expires_at !== null) print(`It expires at ${expires_at}.`);
  });
}

export async function listKeys(flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, flags.account);
    const keys = await app.core.accounts.listKeys(account_id);
    if (flags.json) {
      printJson({ keys });
      return;
    }
    if (keys.length === 0) say('No keys yet. Create one with listing-service keys create.');
    for (const { key_id, prefix, name, created_at, last_used_at, revoked_at, ...limits } of keys) {
      const state = revoked_at ? `revoked ${revoked_at}` : `last used ${last_used_at ?? 'never'}`;
      const line = [key_id, `${prefix}...`, name, `created ${created_at}`, state];
      if (limits.expires_at !== null) line.push(`expires ${limits.expires_at}`);
      if (limits.is_read_only) line.push('read-only');
      print(line.join('  '));
    }
  });
}

/** Encrypts all secrets with a new master key. Fails while an instance runs on the database. */
export async function rotateMasterKey(flags: { json?: true }): Promise<void> {
  const config = loadConfig();
  const { key_file, resealed } = await rotate(config);
  if (flags.json) printJson({ key_file, resealed });
  else print(`${resealed} secrets are encrypted with a new key, which is in ${key_file}.`);
  if (config.database_url !== undefined) {
    say(
      `Set MASTER_KEY of all instances to the content of ${key_file} before they start; the old key no longer works.`,
    );
  } else if (config.master_key !== undefined) {
    say('MASTER_KEY is still the old key: remove it from the environment, or set it to the new one.');
  }
}

export async function revokeKey(key_id: string, flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id, name } = await getAccount(app, flags.account);
    if (!(await app.core.accounts.revokeKey(account_id, key_id))) {
      throw new Error(`Account ${name} has no key ${key_id} that is still in use.`);
    }
    if (flags.json) printJson({ key_id, revoked: true });
    else print(`Key ${key_id} is revoked.`);
  });
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 };
const MAX_DURATION_MS = 3_650 * 24 * 60 * 60_000;

/** Parses minutes, hours or days, such as 90m, 12h or 30d; at most ten years. Throws an Error that says so. */
export function parseDuration(text: string, flag: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const duration_ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (duration_ms > 0 && duration_ms <= MAX_DURATION_MS) return duration_ms;
  throw new Error(
    `${flag} must be minutes, hours or days, such as 90m, 12h or 30d, up to 3650d; not ${text}.`,
  );
}

type JsonFlag = { json?: true };

export async function listAccounts(flags: JsonFlag): Promise<void> {
  await withApp(async ({ core }) => {
    const { account_id: default_id } = await core.accounts.getDefault();
    const accounts = (await core.accounts.list()).map((account) => ({
      ...account,
      is_default: account.account_id === default_id,
    }));
    if (flags.json) {
      printJson({ accounts });
      return;
    }
    for (const { account_id, name, created_at, is_default } of accounts) {
      print([account_id, name, `created ${created_at}`, ...(is_default ? ['(default)'] : [])].join('  '));
    }
  });
}

export async function createAccount(name: string, flags: JsonFlag): Promise<void> {
  await withApp(async ({ core }) => {
    const account = await core.accounts.create(name);
    if (flags.json) printJson(account);
    else print(`Account ${account.name} is ${account.account_id}.`);
  });
}

export async function renameAccount(old: string, name: string, flags: JsonFlag): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, old);
    await app.core.accounts.rename(account_id, name);
    if (flags.json) printJson({ account_id, name });
    else print(`Account ${account_id} is now named ${name}.`);
  });
}

export async function listGrants(flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, flags.account);
    const grants = await app.core.grants.list(account_id);
    if (flags.json) {
      printJson({ grants });
      return;
    }
    if (grants.length === 0) say('No assistant has access yet.');
    for (const { grant_id, client_name, receiver, created_at, last_used_at, scope } of grants) {
      const use = `last used ${last_used_at ?? 'never'}`;
      print([grant_id, client_name, `at ${receiver}`, `may ${scope}`, `since ${created_at}`, use].join('  '));
    }
  });
}

export async function endGrant(grant_id: string, flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id, name } = await getAccount(app, flags.account);
    if (!(await app.core.grants.end(account_id, grant_id))) {
      throw new Error(`Account ${name} has no grant ${grant_id}.`);
    }
    if (flags.json) printJson({ grant_id, ended: true });
    else print(`Grant ${grant_id} is revoked; its tokens no longer work.`);
  });
}
