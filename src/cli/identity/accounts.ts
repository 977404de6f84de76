import { print, printJson } from '../output.js';
import { getAccount, withApp } from '../with_app.js';

type Flags = { json?: true };

export async function listAccounts(flags: Flags): Promise<void> {
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

export async function createAccount(name: string, flags: Flags): Promise<void> {
  await withApp(async ({ core }) => {
    const account = await core.accounts.create(name);
    if (flags.json) printJson(account);
    else print(`Account ${account.name} is ${account.account_id}.`);
  });
}

export async function renameAccount(old: string, name: string, flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, old);
    await app.core.accounts.rename(account_id, name);
    if (flags.json) printJson({ account_id, name });
    else print(`Account ${account_id} is ${name} now.`);
  });
}
