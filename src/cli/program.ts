import { Command } from 'commander';
import { readPackage } from '../version.js';
import { addIdentityCommands } from './identity/commands.js';
import { addMovingCommands } from './moving/commands.js';
import { addServingCommands } from './serving/commands.js';
import { addShopCommands } from './shops/commands.js';

/* What each command does is loaded when it is asked for. Help lists them in the order in which they are added. */

const program = new Command('listing-service')
  .description('Lists handmade and vintage products in many Etsy shops at once: MCP tools, REST API and CLI.')
  .version(readPackage().version)
  .showHelpAfterError('(listing-service --help shows what there is)')
  .addHelpText('after', () => '\nSettings are environment variables; listing-service settings lists them.');

addServingCommands(program);
addIdentityCommands(program);
addShopCommands(program);

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

addMovingCommands(program);

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
