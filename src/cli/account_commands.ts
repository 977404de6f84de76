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
    .description('make a key; it is shown once')
    .option(
      '--account <name>',
      'account it is for, made when there is none of that name (the default account)',
    )
    .option('--name <text>', 'to recognise it by', 'cli')
    .option('--expires-in <duration>', 'when it ends by itself: 90m, 12h or 30d from now (never)')
    .option('--read-only', 'it may call nothing that changes something')
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
    .description('make a key worthless at once')
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
      'seal everything secret in the data folder with a new master key; nothing else may have it open',
    )
    .option('--json', 'print {"key_file", "resealed"}')
    .action(async (flags: { json?: true }) => {
      const { rotateMasterKey } = await import('./identity.js');
      await rotateMasterKey(flags);
    });

  const accounts = program
    .command('accounts')
    .description('accounts: whose shops, listings and keys these are');
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
    .description('make an account')
    .argument('<name>', 'that no other account has')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: { json?: true }) => {
      const { createAccount } = await import('./identity.js');
      await createAccount(name, flags);
    });
  accounts
    .command('rename')
    .description('give an account another name')
    .argument('<account>', 'its name or id')
    .argument('<name>', 'that no other account has')
    .option('--json', 'print JSON')
    .action(async (account: string, name: string, flags: { json?: true }) => {
      const { renameAccount } = await import('./identity.js');
      await renameAccount(account, name, flags);
    });

  const grants = program
    .command('grants')
    .description('assistants that were let into an account without a key');
  grants
    .command('list')
    .description('list them')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: true }) => {
      const { listGrants } = await import('./identity.js');
      await listGrants(flags);
    });
  grants
    .command('end')
    .description('let an assistant in no longer')
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
    .description('let a shop be managed from here: opens the page that asks its owner for consent')
    .argument('[shop_id]', 'only this shop will do, as when one has to be connected again')
    .option('--account <name>', 'account it is for (the default account)')
    .option('--no-browser', 'print the address only')
    .option('--paste', 'ask for the address that the browser was sent to, where it cannot open it')
    .option('--keystring <keystring>', 'application of the shop, where it has one of its own')
    .option('--secret-file <file>', 'file with its shared secret, or - for stdin')
    .option('--webhook-secret-file <file>', 'file with what signs its webhooks')
    .action(async (shop_id: string | undefined, flags: ConnectFlags) => {
      const { connect } = await import('./connect.js');
      await connect(shop_id, flags);
    });

  program
    .command('disconnect')
    .description('forget a shop: its tokens and what was read of it; listings stay')
    .argument('<shop_id>', 'from shops')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (shop_id: string, flags: { account?: string; json?: true }) => {
      const { disconnect } = await import('./shops.js');
      await disconnect(shop_id, flags);
    });

  program
    .command('shops')
    .description('list the connected shops, and which of them have to be connected again')
    .option('--account <name>', 'account (the default account)')
    .option('--json', 'print JSON')
    .action(async (flags: { account?: string; json?: true }) => {
      const { listShops } = await import('./shops.js');
      await listShops(flags);
    });
}
