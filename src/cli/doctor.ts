import { examine } from '../compose/examination.js';
import { examineFacts } from '../compose/published_document.js';
import { ConfigError, listRemovedSettings, loadConfig, type Config } from '../config.js';
import { MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';
import {
  checkCallbackAddress,
  checkApplications,
  checkFacts,
  checkPublished,
  checkProxy,
} from './doctor/marketplace.js';
import { checkBlobs, checkDatabase, checkFolder, checkOwner, checkRuntime } from './doctor/installation.js';
import { problem, warning, type Check } from './doctor/check.js';
import { checkShops, checkWebhooks } from './doctor/shops.js';
import { print, printJson } from './output.js';

/**
 * Checks the installation and prints the results. It changes nothing, except that it writes a few bytes to a
 * bucket and deletes them again. With `facts` or `document` it checks only our copy of the marketplace's
 * rules. The exit code is 1 if there is a problem.
 */
export async function doctor(flags: { json?: true; facts?: true; document?: string }): Promise<void> {
  const isFactsOnly = flags.facts === true || flags.document !== undefined;
  const checks = await listChecks((config) =>
    isFactsOnly ? listFactChecks(config, flags.document) : listInstallationChecks(config),
  );
  const isWell = checks.every(({ status }) => status !== 'problem');
  if (flags.json) printJson({ ok: isWell, checks });
  else checks.forEach(printCheck);
  process.exitCode = isWell ? 0 : 1;
}

async function listChecks(check: (config: Config) => Promise<Check[]>): Promise<Check[]> {
  const runtime = checkRuntime(process.versions.node);
  try {
    const removed = listRemovedSettings().map((message) => warning('settings', message, 'Unset it.'));
    return [...runtime, ...removed, ...(await check(loadConfig()))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = error.message.split('\n');
    const remedy = 'listing-service settings lists all settings.';
    return [...runtime, ...wrong.map((message) => problem('settings', message, remedy))];
  }
}

async function listFactChecks(config: Config, document: string | undefined): Promise<Check[]> {
  return [checkFacts(MARKETPLACE_FACTS, new Date()), ...checkPublished(await examineFacts(config, document))];
}

async function listInstallationChecks(config: Config): Promise<Check[]> {
  const examination = await examine(config);
  const { folder, marketplace } = examination;
  const now = new Date();
  return [
    ...checkOwner(config, examination.strange_owner),
    ...(await checkFolder(config.data_dir, folder)),
    ...checkDatabase(folder),
    ...checkBlobs(examination.blobs),
    ...(await checkProxy(config)),
    ...checkApplications(marketplace, config.marketplace_proxy),
    checkCallbackAddress(config.base_url),
    ...checkShops(examination, now),
    ...checkWebhooks(folder, config.webhook_allow_http),
    checkFacts(MARKETPLACE_FACTS, now),
  ];
}

function printCheck({ name, status, message, remedy }: Check): void {
  print(`${status.padEnd(8)} ${name}: ${message}`);
  if (remedy !== null) print(`${' '.repeat(9)}-> ${remedy}`);
}
