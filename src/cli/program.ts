import { Command, Option } from 'commander';
import { readPackage } from '../version.js';
import { print } from './output.js';
import { addIdentityCommands, addShopCommands } from './account_commands.js';

/* Each command's code is loaded when it is needed. Help lists the commands in the order in which they are
   added. */

const readOnly = new Option('--read-only', 'refuse every operation that changes something');
const tools = new Option(
  '--tools <names>',
  'offer assistants only these tools and groups, comma-separated (TOOLS)',
);

export const program = new Command('listing-service')
  .description('Lists handmade and vintage products in many Etsy shops at once: MCP tools, REST API and CLI.')
  .version(readPackage().version)
  .showHelpAfterError('(listing-service --help lists the commands)')
  .addHelpText('after', () => '\nSettings are environment variables; listing-service settings lists them.');

addServingCommands(program);
addIdentityCommands(program);
addShopCommands(program);

program
  .command('doctor')
  .description('check everything that a real shop needs, and say what to do; changes nothing')
  .option('--json', 'print JSON')
  .option('--facts', "only compare this release's marketplace rules with those the marketplace publishes")
  .option('--document <file-or-url>', "the marketplace's OpenAPI document, instead of fetching it")
  .action(async (flags: { json?: true; facts?: true; document?: string }) => {
    const { doctor } = await import('./doctor.js');
    await doctor(flags);
  });

const sandbox = program
  .command('sandbox')
  .description('run the embedded marketplace by itself')
  .option('--port <number>', 'port to listen on; 0 takes any free one', '4610')
  .option('--control', 'open the control routes under /_sandbox')
  .action(async (flags: { port: string; control?: true }) => {
    const { runSandbox } = await import('./sandbox.js');
    await runSandbox(flags);
  });
sandbox
  .command('order')
  .description('create or change an order in the sandbox of this data folder, to see an order event')
  .option('--shop <shop_id>', 'the shop that sells (the first one)')
  .option('--receipt <receipt_id>', 'an existing order to change')
  .option('--state <state>', "the order's new state: paid, shipped, delivered or canceled", 'paid')
  .option('--message <text>', "the buyer's message")
  .action(async (flags: { shop?: string; receipt?: string; state: string; message?: string }) => {
    const { makeSandboxOrder } = await import('./sandbox.js');
    await makeSandboxOrder(flags);
  });

addMovingCommands(program);

program
  .command('settings')
  .description('list the settings with their defaults and descriptions')
  .action(async () => {
    const { listSettings } = await import('../config.js');
    for (const { variable, default: fallback, description } of listSettings()) {
      print(`${variable.padEnd(24)} ${description}${fallback === '' ? '' : ` (${fallback})`}`);
    }
  });

/** Runs the command on the command line. */
export async function runProgram(): Promise<void> {
  await program.parseAsync();
}

/** The commands that run the service, or one operation of it. */
function addServingCommands(program: Command): void {
  program
    .command('stdio')
    .description('speak MCP over stdin and stdout, for an assistant on this computer')
    .addOption(readOnly)
    .addOption(tools)
    .option('--bundle', 'start on the sandbox, with a page that connects real shops, and switch to them')
    .action(async ({ bundle, ...flags }: { readOnly?: true; tools?: string; bundle?: true }) => {
      const { stdio } = await import('./serving/stdio.js');
      await stdio(toVariables(flags), { is_bundle: bundle === true });
    });

  program
    .command('setup')
    .description(
      'configure Claude Desktop, Claude Code, Cursor and VS Code on this computer to start this service',
    )
    .option(
      '--client <names>',
      'only these: claude-desktop, claude-code, cursor, vscode, vscode-insiders; comma-separated (those found on this computer)',
    )
    .addOption(new Option('--print', 'show the configuration and write nothing').conflicts('remove'))
    .option('--skills', 'also install skills for Claude Code, Codex, Cursor and Gemini CLI')
    .option('--remove', 'remove this service from their configuration, and remove its skills')
    .action(async (flags: { client?: string; print?: true; remove?: true; skills?: true }) => {
      const { setup } = await import('./setup.js');
      await setup(flags);
    });

  program
    .command('serve')
    .description('serve REST, MCP and the pages over HTTP')
    .option('--port <number>', 'port to listen on (PORT)')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--role <role>', 'web, worker or both, if several instances share the work (ROLE)')
    .addOption(readOnly)
    .addOption(tools)
    .action(
      async (flags: { port?: string; host?: string; role?: string; readOnly?: true; tools?: string }) => {
        // Stack traces in the log point to source lines. Not for stdio: assistants start it at every launch,
        // and do not wait for the source maps.
        process.setSourceMapsEnabled(true);
        const { serve } = await import('./serving/serve.js');
        await serve(toVariables(flags));
      },
    );

  program
    .command('call')
    .description('call one operation and print its answer as JSON')
    .argument('<operationId>', 'such as stores_list')
    .argument('[input]', "JSON, @file, or - for stdin; '{}' if omitted")
    .option('--yes', 'agree to the cost without being asked')
    .action(async (id: string, input: string | undefined, flags: { yes?: true }) => {
      const { call } = await import('./call.js');
      await call(id, input, flags.yes === true);
    });
}

/** Flags under the names of the equivalent variables. */
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

/** The commands that copy, restore, move or update stored data. */
function addMovingCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'copy the database to a file, or with --all everything to a folder; the service may keep running. Store the key (master.key) separately',
    )
    .argument('<target>', 'the destination; must not exist yet')
    .option('--all', 'the database, the files and the state of the sandbox, into a folder')
    .addOption(
      new Option(
        '--with-key',
        'with --all: include the key, so that a restore (or a thief) needs only the folder',
      ).implies({ all: true }),
    )
    .action(async (target: string, flags: { all?: true; withKey?: true }) => {
      const { backup } = await import('./moving.js');
      await backup(target, flags);
    });

  program
    .command('restore')
    .description('restore a backup made with --all into the data folder (DATA_DIR), which must be empty')
    .argument('[folder]', 'the backup')
    .option(
      '--dumped-at <time>',
      'instead: mark the database at DATABASE_URL as restored from a dump of that time, before starting the service on it',
    )
    .action(async (folder: string | undefined, flags: { dumpedAt?: string }) => {
      const { restore } = await import('./moving.js');
      await restore(folder, flags);
    });

  program
    .command('move')
    .description(
      'move everything from the data folder to PostgreSQL, or back, while nothing runs on it; resumes an interrupted move',
    )
    .option('--to <address>', 'postgres://user:password@host/database, or folder for DATA_DIR')
    .option('--blobs <place>', 'also move files: s3://bucket/prefix, file:///folder, or folder for DATA_DIR')
    .addOption(
      new Option(
        '--lift-mark',
        'allow starting again on the configured database after it was moved away',
      ).conflicts(['to', 'blobs']),
    )
    .action(async (flags: { to?: string; blobs?: string; liftMark?: true }) => {
      const { move } = await import('./moving.js');
      await move(flags);
    });

  program
    .command('migrate')
    .description("migrate the database to this release's schema, and start nothing")
    .action(async () => {
      const { migrate } = await import('./moving.js');
      await migrate();
    });
}
