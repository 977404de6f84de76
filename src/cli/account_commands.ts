import type { Command } from 'commander';
import type { CreateKeyFlags } from './identity.js';
import type { ConnectFlags } from './connect.js';

/** The commands for accounts and their credentials. Each command's code is loaded when it is needed. */
export function addIdentityCommands(program: Command): void {
  program
    .command('sign-in')
    .description('print a link that opens the dashboard in a browser, once')
    .option('--account <name>', 'account (the default account)')
    .action(async (flags: { account?: string }) => {
      const { signIn } = await import('./identity.js');
      await signIn(flags);
    });

  const keys = program.command('keys').description('API keys for REST and for MCP over HTTP');
  keys
    .command('create')
    .description('create a key; it is shown once')
    .option('--account <name>', "the key's account, created if it does not exist (the default account)")
    .option('--name <text>', 'a name to recognize it by', 'cli')
    .option('--expires-in <duration>', 'when it expires: 90m, 12h or 30d from now (never)')
    .option('--read-only', 'allow only calls that change nothing')
    .option('--json', 'print {"key", "key_id"}')
    .action(async (flags: CreateKeyFlags) => {
      const { createKey } = await import('./identity.js');
      await createKey(flags);
    });
  keys
    .command('list')
    .description('list the keys of an account')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: true }) => {
      const { listKeys } = await import('./identity.js');
      await listKeys(flags);
    });
  keys
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<key_id>', 'from keys list')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (key_id: string, flags: { account?: string; json?: true }) => {
      const { revokeKey } = await import('./identity.js');
      await revokeKey(key_id, flags);
    });
  keys
    .command('rotate-master')
    .description(
      'encrypt all secrets in the data folder with a new master key; nothing else may have it open',
    )
    .option('--json', 'print {"key_file", "resealed"}')
    .action(async (flags: { json?: true }) => {
      const { rotateMasterKey } = await import('./identity.js');
      await rotateMasterKey(flags);
    });

  const accounts = program.command('accounts').description('accounts, which own shops, listings and keys');
  accounts
    .command('list')
    .description('list the accounts')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: true }) => {
      const { listAccounts } = await import('./identity.js');
      await listAccounts(flags);
    });
  accounts
    .command('create')
    .description('create an account')
    .argument('<name>', 'a name that no other account has')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: { json?: true }) => {
      const { createAccount } = await import('./identity.js');
      await createAccount(name, flags);
    });
  accounts
    .command('rename')
    .description('rename an account')
    .argument('<account>', 'its name or id')
    .argument('<name>', 'a name that no other account has')
    .option('--json', 'print JSON')
    .action(async (account: string, name: string, flags: { json?: true }) => {
      const { renameAccount } = await import('./identity.js');
      await renameAccount(account, name, flags);
    });

  const grants = program
    .command('grants')
    .description('assistants that have access to an account without a key');
  grants
    .command('list')
    .description('list the assistants with access')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: true }) => {
      const { listGrants } = await import('./identity.js');
      await listGrants(flags);
    });
  grants
    .command('end')
    .description("revoke an assistant's access")
    .argument('<grant_id>', 'from grants list')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (grant_id: string, flags: { account?: string; json?: true }) => {
      const { endGrant } = await import('./identity.js');
      await endGrant(grant_id, flags);
    });
}

/** The commands for the managed shops. Each command's code is loaded when it is needed. */
export function addShopCommands(program: Command): void {
  program
    .command('connect')
    .description('connect a shop: opens the page that asks its owner for consent')
    .argument('[shop_id]', 'accept only this shop, for example to reconnect it')
    .option('--account <name>', "the shop's account (the default account)")
    .option('--no-browser', 'print the address only')
    .option('--paste', 'ask for the address that the browser was sent to, if it cannot open it')
    .option('--keystring <keystring>', "the shop's own application, if it has one")
    .option('--secret-file <file>', 'file with its shared secret, or - for stdin')
    .option('--webhook-secret-file <file>', 'file with the secret that signs its webhooks')
    .action(async (shop_id: string | undefined, flags: ConnectFlags) => {
      const { connect } = await import('./connect.js');
      await connect(shop_id, flags);
    });

  program
    .command('disconnect')
    .description('forget a shop: deletes its tokens and the data read from it; listings stay')
    .argument('<shop_id>', 'from shops')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (shop_id: string, flags: { account?: string; json?: true }) => {
      const { disconnect } = await import('./shops.js');
      await disconnect(shop_id, flags);
    });

  program
    .command('shops')
    .description('list the connected shops, and which of them must be reconnected')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: true }) => {
      const { listShops } = await import('./shops.js');
      await listShops(flags);
    });
}
