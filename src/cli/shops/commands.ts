import type { Command } from 'commander';
import type { ConnectFlags } from './connect.js';

/** The commands about the shops that are managed from here. What each does is loaded when it is asked for. */
export function addShopCommands(program: Command): void {
  program
    .command('connect')
    .description('let a shop be managed from here: opens the page that asks its owner for consent')
    .argument('[shop_id]', 'only this shop will do, as when one has to be connected again')
    .option('--account <name>', 'account it is for (the default account)')
    .option('--no-browser', 'print the address only')
    .option('--paste', 'ask for the address that the browser was sent to, where it cannot open it')
    .option(
      '--keystring <keystring>',
      'application of the shop, where it has one of its own (SHOP_KEYSTRING)',
    )
    .option('--secret-file <file>', 'file with its shared secret, or - for stdin (SHOP_SHARED_SECRET)')
    .option('--webhook-secret-file <file>', 'file with what signs its webhooks (SHOP_WEBHOOK_SECRET)')
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
