import { makeFolder } from '../../core/make_folder.js';
import { getSandboxFile } from '../../compose/folder.js';
import { loadConfig } from '../../config.js';
import { SANDBOX_APP, SANDBOX_SHOPS, startSandbox } from '../../sandbox/index.js';
import { toListenError } from '../serving/listen.js';
import { print } from '../output.js';
import { createStopSignal, whenStopped } from '../serving/stop_signal.js';

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
