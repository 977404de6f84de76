/*
 * Records order events of the default account, as the service does, and may be killed meanwhile. Arguments: from which
 * number, to which. The environment is the service's. Prints each number once it is recorded, or known to be.
 */
import { compose } from '../../.build/src/compose.js';
import { loadConfig } from '../../.build/src/config.js';

const [from, to] = process.argv.slice(2).map(Number);
const app = await compose(loadConfig(), { is_http: false });
const { account_id } = await app.core.accounts.getDefault();
for (let n = from; n <= to; n += 1) {
  await app.core.events.record({
    account_id,
    event_type: 'order.paid',
    data: { n },
    subject: `order:${Math.floor(n / 4)}`,
    change_key: `crash:${n}`,
  });
  process.stdout.write(`${n}\n`);
}
await app.close();
