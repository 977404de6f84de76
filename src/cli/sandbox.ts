import { makeFolder } from '../core/make_folder.js';
import { getSandboxFile } from '../compose/folder.js';
import { loadConfig } from '../config.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox, type Sandbox } from '../sandbox/index.js';
import { toListenError } from './serving/listen.js';
import { print, say } from './output.js';
import { createStopSignal, whenStopped } from './serving/stop_signal.js';

export async function runSandbox(flags: { port: string; control?: true }): Promise<void> {
  const signal = createStopSignal();
  const config = loadConfig({ PORT: flags.port });
  makeFolder(config.data_dir);
  const sandbox = await startSandbox({
    database_file: getSandboxFile(config.data_dir),
    port: config.port,
    control: flags.control === true || config.sandbox_control,
    latency_ms: config.sandbox_latency_ms,
    rate_per_second: config.sandbox_rate,
  }).catch((error: unknown) => {
    throw toListenError(error, { host: '127.0.0.1', port: config.port });
  });
  print(`Sandbox marketplace: ${sandbox.url}`);
  print(`Application: ${SANDBOX_APP.keystring}:${SANDBOX_APP.shared_secret}`);
  for (const { shop_name, shop_id } of SANDBOX_SHOPS) print(`Shop: ${shop_name} (${shop_id})`);
  await whenStopped(signal);
  await sandbox.close();
  process.exit(0);
}

const STATES = ['paid', 'shipped', 'delivered', 'canceled'] as const;

type Flags = { shop?: string; receipt?: string; state: string; message?: string };

/**
 * Creates an order in the sandbox, or changes one there, so that its event can be seen. The order goes into
 * the data folder's sandbox, which notifies the server if it is running.
 */
export async function makeSandboxOrder(flags: Flags): Promise<void> {
  const config = loadConfig();
  if (config.marketplace !== 'sandbox') {
    throw new Error('Orders can be created only in the sandbox, but MARKETPLACE is etsy.');
  }
  const body = toBody(flags);
  makeFolder(config.data_dir);
  const sandbox = await startSandbox({ database_file: getSandboxFile(config.data_dir), control: true });
  try {
    const { receipt_id, shop_id } = await write(sandbox, body);
    print(`Order ${receipt_id} in shop ${shop_id} is ${flags.state}.`);
    say(TOLD[await sandbox.sendMessages()]);
  } finally {
    await sandbox.close();
  }
}

const TOLD = {
  sent: 'The running server was notified.',
  waiting: 'The server is not running; it will be notified when it runs again.',
  unwanted:
    'No server has run yet: start one with listing-service serve, and it will be notified of later orders.',
} as const;

function toBody({ shop, receipt, state, message }: Flags): Record<string, unknown> {
  if (!STATES.some((known) => known === state)) {
    throw new Error(`--state must be one of ${STATES.join(', ')}, not "${state}".`);
  }
  const change = { [`is_${state}`]: true };
  if (receipt !== undefined) return { receipt_id: toId('--receipt', receipt), ...change };
  const shop_id = shop === undefined ? SANDBOX_SHOPS[0]?.shop_id : toId('--shop', shop);
  return { shop_id, ...change, ...(message !== undefined && { message_from_buyer: message }) };
}

function toId(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${flag} must be a number, not "${text}".`);
}

async function write(sandbox: Sandbox, body: object): Promise<{ receipt_id: number; shop_id: number }> {
  const answer = await fetch(`${sandbox.url}/_sandbox/receipts`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (answer.ok) return (await answer.json()) as { receipt_id: number; shop_id: number };
  const { error } = (await answer.json()) as { error: string };
  throw new Error(`The sandbox has no such shop or order (${error}).`);
}
