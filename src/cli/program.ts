import { Command, Option } from 'commander';
import { readPackage } from '../version.js';
import type { ConnectFlags } from './shops/connect.js';
import type { CreateKeyFlags } from './identity/keys.js';

/* What each command does is loaded when it is asked for. */

const readOnly = new Option('--read-only', 'refuse every operation that changes something');
const tools = new Option(
  '--tools <names>',
  'offer assistants only these tools and groups, comma-separated (TOOLS)',
);

const program = new Command('listing-service')
  .description('Lists handmade and vintage products in many Etsy shops at once: MCP tools, REST API and CLI.')
  .version(readPackage().version)
  .showHelpAfterError('(listing-service --help shows what there is)')
  .addHelpText('after', () => '\nSettings are environment variables; listing-service settings lists them.');

program
  .command('stdio')
  .description('speak MCP over stdin and stdout, for an assistant on this computer')
  .addOption(readOnly)
  .addOption(tools)
  .action(async (flags: { readOnly?: true; tools?: string }) => {
    const { stdio } = await import('./serving/stdio.js');
    await stdio(toVariables(flags));
  });

program
  .command('setup')
  .description(
    'tell Claude Desktop, Claude Code, Cursor and VS Code on this computer how to start this service',
  )
  .option(
    '--client <names>',
    'only these: claude-desktop, claude-code, cursor, vscode, vscode-insiders; comma-separated (those found on this computer)',
  )
  .addOption(new Option('--print', 'show the configuration and write nothing').conflicts('remove'))
  .option('--remove', 'take this service out of their configuration')
  .action(async (flags: { client?: string; print?: true; remove?: true }) => {
    const { setup } = await import('./setup.js');
    await setup(flags);
  });

program
  .command('serve')
  .description('serve REST, MCP and the pages over HTTP')
  .option('--port <number>', 'port to listen on (PORT)')
  .option('--host <address>', 'address to listen on (HOST)')
  .option('--role <role>', 'web, worker or both, where several instances share the work (ROLE)')
  .addOption(readOnly)
  .addOption(tools)
  .action(async (flags: { port?: string; host?: string; role?: string; readOnly?: true; tools?: string }) => {
    // Stack traces in the log name lines of the sources. Assistants start stdio anew each time, and do not wait for the maps.
    process.setSourceMapsEnabled(true);
    const { serve } = await import('./serving/serve.js');
    await serve(toVariables(flags));
  });

program
  .command('call')
  .description('call one operation and print its answer as JSON')
  .argument('<operationId>', 'such as stores_list')
  .argument('[input]', "JSON, @file, or - for stdin; '{}' when left out")
  .option('--yes', 'agree to what it costs without being asked')
  .action(async (id: string, input: string | undefined, flags: { yes?: true }) => {
    const { call } = await import('./call.js');
    await call(id, input, flags.yes === true);
  });

program
  .command('sign-in')
  .description('print a link that opens the dashboard in a browser, once')
  .option('--account <name>', 'account (the default account)')
  .action(async (flags: { account?: string }) => {
    const { signIn } = await import('./identity/sign_in.js');
    await signIn(flags);
  });

const keys = program.command('keys').description('API keys for REST and for MCP over HTTP');
keys
  .command('create')
  .description('make a key; it is shown once')
  .option('--account <name>', 'account it is for, made when there is none of that name (the default account)')
  .option('--name <text>', 'to recognise it by', 'cli')
  .option('--expires-in <duration>', 'when it ends by itself: 90m, 12h or 30d from now (never)')
  .option('--read-only', 'it may call nothing that changes something')
  .option('--json', 'print {"key", "key_id"}')
  .action(async (flags: CreateKeyFlags) => {
    const { createKey } = await import('./identity/keys.js');
    await createKey(flags);
  });
keys
  .command('list')
  .description('list the keys of an account')
  .option('--account <name>', 'account (the default account)')
  .option('--json', 'print JSON')
  .action(async (flags: { account?: string; json?: true }) => {
    const { listKeys } = await import('./identity/keys.js');
    await listKeys(flags);
  });
keys
  .command('revoke')
  .description('make a key worthless at once')
  .argument('<key_id>', 'from keys list')
  .option('--account <name>', 'account (the default account)')
  .option('--json', 'print JSON')
  .action(async (key_id: string, flags: { account?: string; json?: true }) => {
    const { revokeKey } = await import('./identity/keys.js');
    await revokeKey(key_id, flags);
  });
keys
  .command('rotate-master')
  .description(
    'seal everything secret in the data folder with a new master key; nothing else may have it open',
  )
  .option('--json', 'print {"key_file", "resealed"}')
  .action(async (flags: { json?: true }) => {
    const { rotateMasterKey } = await import('./identity/keys.js');
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
    const { listAccounts } = await import('./identity/accounts.js');
    await listAccounts(flags);
  });
accounts
  .command('create')
  .description('make an account')
  .argument('<name>', 'that no other account has')
  .option('--json', 'print JSON')
  .action(async (name: string, flags: { json?: true }) => {
    const { createAccount } = await import('./identity/accounts.js');
    await createAccount(name, flags);
  });
accounts
  .command('rename')
  .description('give an account another name')
  .argument('<account>', 'its name or id')
  .argument('<name>', 'that no other account has')
  .option('--json', 'print JSON')
  .action(async (account: string, name: string, flags: { json?: true }) => {
    const { renameAccount } = await import('./identity/accounts.js');
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
    const { listGrants } = await import('./identity/grants.js');
    await listGrants(flags);
  });
grants
  .command('end')
  .description('let an assistant in no longer')
  .argument('<grant_id>', 'from grants list')
  .option('--account <name>', 'account (the default account)')
  .option('--json', 'print JSON')
  .action(async (grant_id: string, flags: { account?: string; json?: true }) => {
    const { endGrant } = await import('./identity/grants.js');
    await endGrant(grant_id, flags);
  });

program
  .command('connect')
  .description('let a shop be managed from here: opens the page that asks its owner for consent')
  .argument('[shop_id]', 'only this shop will do, as when one has to be connected again')
  .option('--account <name>', 'account it is for (the default account)')
  .option('--no-browser', 'print the address only')
  .option('--keystring <keystring>', 'application of the shop, where it has one of its own (SHOP_KEYSTRING)')
  .option('--secret-file <file>', 'file with its shared secret, or - for stdin (SHOP_SHARED_SECRET)')
  .option('--webhook-secret-file <file>', 'file with what signs its webhooks (SHOP_WEBHOOK_SECRET)')
  .action(async (shop_id: string | undefined, flags: ConnectFlags) => {
    const { connect } = await import('./shops/connect.js');
    await connect(shop_id, flags);
  });

program
  .command('disconnect')
  .description('forget a shop: its tokens and what was read of it; listings stay')
  .argument('<shop_id>', 'from shops')
  .option('--account <name>', 'account (the default account)')
  .option('--json', 'print JSON')
  .action(async (shop_id: string, flags: { account?: string; json?: true }) => {
    const { disconnect } = await import('./shops/shops.js');
    await disconnect(shop_id, flags);
  });

program
  .command('shops')
  .description('list the connected shops, and which of them have to be connected again')
  .option('--account <name>', 'account (the default account)')
  .option('--json', 'print JSON')
  .action(async (flags: { account?: string; json?: true }) => {
    const { listShops } = await import('./shops/shops.js');
    await listShops(flags);
  });

program
  .command('doctor')
  .description('look at everything that a real shop needs, and say what to do; changes nothing')
  .option('--json', 'print JSON')
  .option(
    '--facts',
    "compare what is known of the marketplace's rules with what it publishes, and nothing else",
  )
  .option('--document <file-or-url>', 'its OpenAPI document, where it is not fetched from the marketplace')
  .action(async (flags: { json?: true; facts?: true; document?: string }) => {
    const { doctor } = await import('./doctor.js');
    await doctor(flags);
  });

const sandbox = program
  .command('sandbox')
  .description('run the embedded marketplace by itself')
  .option('--port <number>', 'port to listen on; 0 takes any that is free', '4610')
  .option('--control', 'open the control routes under /_sandbox')
  .action(async (flags: { port: string; control?: true }) => {
    const { runSandbox } = await import('./sandbox/run.js');
    await runSandbox(flags);
  });
sandbox
  .command('order')
  .description('let somebody buy in the sandbox of this data folder, to see an order event')
  .option('--shop <shop_id>', 'shop it is bought in (the first one)')
  .option('--receipt <receipt_id>', 'an order that there is, which something happens to')
  .option('--state <state>', 'what happens: paid, shipped, delivered or canceled', 'paid')
  .option('--message <text>', 'what the buyer writes')
  .action(async (flags: { shop?: string; receipt?: string; state: string; message?: string }) => {
    const { makeSandboxOrder } = await import('./sandbox/order.js');
    await makeSandboxOrder(flags);
  });

program
  .command('backup')
  .description(
    'copy the database to a file, or with --all everything to a folder, while the service may go on; keep the key (master.key) apart from it',
  )
  .argument('<target>', 'where to; must not exist yet')
  .option('--all', 'the database, the files and the state of the sandbox, into a folder')
  .addOption(
    new Option(
      '--with-key',
      'with --all: the key too, so that the folder is all that a restore, or a thief, needs',
    ).implies({ all: true }),
  )
  .action(async (target: string, flags: { all?: true; withKey?: true }) => {
    const { backup } = await import('./moving/backup.js');
    await backup(target, flags);
  });

program
  .command('restore')
  .description('put a backup that was made with --all into the data folder (DATA_DIR), which must be empty')
  .argument('<folder>', 'the backup')
  .action(async (folder: string) => {
    const { restore } = await import('./moving/restore.js');
    await restore(folder);
  });

program
  .command('move')
  .description(
    'take everything from the data folder to PostgreSQL, or back, while nothing runs on it; an interrupted one goes on',
  )
  .option('--to <address>', 'postgres://user:password@host/database, or folder for DATA_DIR')
  .option('--blobs <place>', 'files too: s3://bucket/prefix, file:///folder, or folder for DATA_DIR')
  .addOption(
    new Option(
      '--lift-mark',
      'let the database of these settings be started on again, which was moved away',
    ).conflicts(['to', 'blobs']),
  )
  .action(async (flags: { to?: string; blobs?: string; liftMark?: true }) => {
    const { move } = await import('./moving/move.js');
    await move(flags);
  });

program
  .command('migrate')
  .description('bring the database to the schema of this release, and start nothing')
  .action(async () => {
    const { migrate } = await import('./moving/migrate.js');
    await migrate();
  });

program
  .command('settings')
  .description('list the settings, their defaults and what they are')
  .action(async () => {
    const { printSettings } = await import('./settings.js');
    printSettings();
  });

/** Does what the command line says. */
export async function runProgram(): Promise<void> {
  await program.parseAsync();
}

/** Flags under the names of the variables that say the same. */
function toVariables(flags: {
  port?: string;
  host?: string;
  role?: string;
  readOnly?: true;
  tools?: string;
}): Record<string, string> {
  return {
    ...(flags.port === undefined ? {} : { PORT: flags.port }),
    ...(flags.host === undefined ? {} : { HOST: flags.host }),
    ...(flags.role === undefined ? {} : { ROLE: flags.role }),
    ...(flags.readOnly ? { READ_ONLY: 'on' } : {}),
    ...(flags.tools === undefined ? {} : { TOOLS: flags.tools }),
  };
}
