import { print, printJson, say } from './output.js';
import { getAccount, withApp } from './with_app.js';

type Flags = { account?: string; json?: true };

export async function createKey(flags: Flags & { name: string }): Promise<void> {
  await withApp(async (app) => {
    const { accounts } = app.core;
    const isNew = flags.account !== undefined && !(await accounts.find(flags.account));
    const account = isNew ? await accounts.create(flags.account ?? '') : await getAccount(app, flags.account);
    if (isNew) say(`Account ${account.name} is new.`);
    const { key, key_id } = await accounts.createKey(account.account_id, flags.name);
    if (flags.json) printJson({ key, key_id });
    else print(`${key}\n\nKey ${key_id} of account ${account.name}. It is shown this once: keep it.`);
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
    for (const { key_id, prefix, name, created_at, last_used_at, revoked_at } of keys) {
      const state = revoked_at ? `revoked ${revoked_at}` : `last used ${last_used_at ?? 'never'}`;
      print([key_id, `${prefix}...`, name, `created ${created_at}`, state].join('  '));
    }
  });
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
