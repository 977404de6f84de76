import { Option, type Command } from 'commander';

const readOnly = new Option('--read-only', 'refuse every operation that changes something');
const tools = new Option(
  '--tools <names>',
  'offer assistants only these tools and groups, comma-separated (TOOLS)',
);

/** The commands that run the service, or one operation of it. What each does is loaded when it is asked for. */
export function addServingCommands(program: Command): void {
  program
    .command('stdio')
    .description('speak MCP over stdin and stdout, for an assistant on this computer')
    .addOption(readOnly)
    .addOption(tools)
    .action(async (flags: { readOnly?: true; tools?: string }) => {
      const { stdio } = await import('./stdio.js');
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
      const { setup } = await import('../setup.js');
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
    .action(
      async (flags: { port?: string; host?: string; role?: string; readOnly?: true; tools?: string }) => {
        // Stack traces in the log name lines of the sources. Assistants start stdio anew each time, and do not wait for the maps.
        process.setSourceMapsEnabled(true);
        const { serve } = await import('./serve.js');
        await serve(toVariables(flags));
      },
    );

  program
    .command('call')
    .description('call one operation and print its answer as JSON')
    .argument('<operationId>', 'such as stores_list')
    .argument('[input]', "JSON, @file, or - for stdin; '{}' when left out")
    .option('--yes', 'agree to what it costs without being asked')
    .action(async (id: string, input: string | undefined, flags: { yes?: true }) => {
      const { call } = await import('../call.js');
      await call(id, input, flags.yes === true);
    });
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
