import { print, printJson, say } from '../output.js';
import { getAccount, withApp } from '../with_app.js';

type Flags = { account?: string; json?: true };

export async function listGrants(flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, flags.account);
    const grants = await app.core.grants.list(account_id);
    if (flags.json) {
      printJson({ grants });
      return;
    }
    if (grants.length === 0) say('No assistant was let in yet.');
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
    else print(`Grant ${grant_id} has ended; its tokens are worthless.`);
  });
}
