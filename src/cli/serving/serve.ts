import { compose, type App, type ComposeOptions } from '../../compose.js';
import { createSite } from '../../compose/site.js';
import { listRemovedSettings, loadConfig, type Config } from '../../config.js';
import { listAdvice } from '../../config/advice.js';
import type { Log } from '../../core/ports/index.js';
import { createHttpFace, type HttpFace } from '../../transports/index.js';
import { openOnPort, toListenError } from './listen.js';
import { print } from '../output.js';
import { buildEntry, CLI, describeLeftOut, SERVER_NAME } from '../setup/entry.js';
import { buildSignInUrl } from '../with_app.js';
import { closeWithin, createStopSignal, whenStopped } from './stop_signal.js';

const GRACE_MS = 25_000;
/** After this time, callers that wait for a job are answered that it is processing, while they still can be. */
const JOBS_MS = 20_000;
const CLOSE_MS = 10_000;

/** @param options replacements for tests */
export async function serve(
  flags: Record<string, string>,
  options: Omit<ComposeOptions, 'is_http'> = {},
): Promise<void> {
  const signal = createStopSignal();
  const { config, app, face } = await openOnPort(loadConfig(flags), flags, (asked) =>
    openServer(asked, options),
  );
  const isFirst = !(await app.core.accounts.hasKeys());
  const isSeen = process.stdout.isTTY;
  if (isFirst && isSeen) await printKey(app);
  printAddresses(config);
  for (const sentence of [...listAdvice(config), ...listRemovedSettings()]) print(`\n${sentence}`);
  if (isSeen) await printSignInLink(app);
  else print(`\nA link that opens the dashboard, with the same settings: node ${CLI} sign-in`);
  if (!isFirst) print(`\nAnother key: node ${CLI} keys create`);
  else if (!isSeen) print(`\nA first API key, with the same settings: node ${CLI} keys create`);
  if (isFirst) printClaudeConfig(flags);
  if (config.role !== 'web') await startWork(app);
  void app.warnOfClock(signal);
  const { log } = app.service;
  log.info('started', { role: config.role, port: config.port });

  await whenStopped(signal);
  app.stopBeingReady();
  logStop(app.core.listings.countRunning(), log);
  const late = setTimeout(() => void app.core.listings.stop(), JOBS_MS);
  await Promise.all([face.close(GRACE_MS), closeWithin(GRACE_MS, () => app.delivery_worker.stop())]);
  clearTimeout(late);
  await closeWithin(CLOSE_MS, () => app.close());
  log.info('stopped');
  process.exit(0);
}

/** Starts all work that runs without a caller. */
async function startWork(app: App): Promise<void> {
  await app.core.listings.resume();
  app.core.sweeper.start();
  app.delivery_worker.start();
  app.order_listening.start();
  app.listing_looks.start();
}

/**
 * Logs the stop. Jobs whose callers wait finish, if that takes no longer than JOBS_MS; the others finish
 * their current step, and resume in another instance or at the next start.
 */
function logStop(jobs: number, log: Log): void {
  if (jobs === 0) log.info('stopping');
  else log.info(`stopping, waiting for ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`);
}

async function openServer(
  config: Config,
  options: Omit<ComposeOptions, 'is_http'>,
): Promise<{ config: Config; app: App; face: HttpFace }> {
  const app = await compose(config, { ...options, is_http: true });
  try {
    const face = await createHttpFace(app.service, {
      ...config,
      ...(config.role !== 'worker' && { site: await createSite(app) }),
    });
    return { config, app, face };
  } catch (cause) {
    await app.close();
    throw toListenError(cause, config);
  }
}

/**
 * Prints secrets only to a terminal: output elsewhere ends up in a log, which others read and which is kept.
 */
async function printSignInLink(app: App): Promise<void> {
  const sign_in_url = await buildSignInUrl(app, await app.core.accounts.getDefault());
  print(`\nDashboard, opened by this link once within 15 minutes:\n\n  ${sign_in_url}`);
}

async function printKey({ core }: App): Promise<void> {
  const { account_id } = await core.accounts.getDefault();
  const { key } = await core.accounts.createKey(account_id, 'first start');
  print(`API key, shown only once:\n\n  ${key}\n`);
}

function printAddresses({ base_url, marketplace, data_dir }: Config): void {
  print(`REST  ${base_url}/api/v1\nMCP   ${base_url}/mcp\nDocs  ${base_url}/docs\nData  ${data_dir}`);
  if (marketplace === 'sandbox') print('\nMARKETPLACE is sandbox: nothing reaches Etsy.');
}

function printClaudeConfig(flags: Record<string, string>): void {
  const entry = buildEntry({ has_type: false }, { flags });
  const text = JSON.stringify({ mcpServers: { [SERVER_NAME]: entry } }, undefined, 2);
  print(
    `\nFor Claude Desktop (no server has to run for it): node ${CLI} setup, or in claude_desktop_config.json:\n\n${text}`,
  );
  const left_out = describeLeftOut(flags);
  if (left_out !== undefined) print(`\n${left_out}`);
}
