import { loadConfig } from '../../config.js';
import type { KeyLimits } from '../../core/identity/accounts.js';
import { parseDuration } from '../duration.js';
import { print, printJson, say } from '../output.js';
import { rotateMasterKey as rotate } from '../../compose/rotate_master_key.js';
import { getAccount, withApp } from '../with_app.js';

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
    print(`${key}\n\nKey ${key_id} of account ${account.name}. It is shown this once: keep it.`);
    if (flags.readOnly) print('It may only read.');
    if (expires_at !== null) print(`It ends at ${expires_at}.`);
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
    if (keys.length === 0) say('No keys yet: listing-service keys create makes one.');
    for (const { key_id, prefix, name, created_at, last_used_at, revoked_at, ...limits } of keys) {
      const state = revoked_at ? `revoked ${revoked_at}` : `last used ${last_used_at ?? 'never'}`;
      const line = [key_id, `${prefix}...`, name, `created ${created_at}`, state];
      if (limits.expires_at !== null) line.push(`ends ${limits.expires_at}`);
      if (limits.is_read_only) line.push('read-only');
      print(line.join('  '));
    }
  });
}

/** Seals all secrets with a new master key. Fails while an instance runs on the database. */
export async function rotateMasterKey(flags: { json?: true }): Promise<void> {
  const config = loadConfig();
  const { key_file, resealed } = await rotate(config);
  if (flags.json) printJson({ key_file, resealed });
  else print(`${resealed} secrets are sealed with a new key, which is in ${key_file}.`);
  if (config.database_url !== undefined) {
    say(
      `Give all instances what ${key_file} holds as their MASTER_KEY before they start; the old key opens nothing.`,
    );
  } else if (config.master_key !== undefined) {
    say('MASTER_KEY is the old key: take it out of the environment, or put the new one there.');
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
