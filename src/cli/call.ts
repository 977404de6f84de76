import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { operations } from '../../tools/index.js';
import { compose } from '../compose.js';
import { loadConfig } from '../config.js';
import type { Operation } from '../core/operations/operation.js';
import { describeFeeQuestion } from '../core/listings/fees/fee_question.js';
import type { Call, Consent } from '../core/operations/call.js';
import { parseJsonBytes } from '../core/operations/json_text.js';
import { createProgressBar, printJson, say, toTerminalText } from './output.js';
import { closeWithin, createStopSignal } from './serving/stop_signal.js';

const CLOSE_MS = 10_000;

/** Prints the answer, or the error body, as JSON; the exit code distinguishes them. */
export async function call(id: string, input: string | undefined, isAgreed: boolean): Promise<void> {
  const operation = getOperation(id);
  const value = await readInput(input);
  const signal = createStopSignal();
  const app = await compose(loadConfig(), { is_http: false });
  const bar = createProgressBar();
  const { account_id } = await app.core.accounts.getDefault();
  const made: Call = {
    caller: { account_id, credential: 'local', credential_id: 'local' },
    face: 'cli',
    signal,
    onProgress: bar.show,
    askConsent: isAgreed ? agree : buildConsent(),
  };
  const outcome = await app.service.invoke(operation, { value }, made);
  bar.end();
  printJson(outcome.ok ? outcome.output : outcome.error);
  await closeWithin(CLOSE_MS, () => app.close());
  process.exitCode = outcome.ok ? 0 : 1;
}

function getOperation(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found) return found;
  const ids = operations.map((operation) => operation.id).join(', ');
  throw new Error(`There is no operation ${id}. Use one of: ${ids}.`);
}

async function readInput(input: string | undefined): Promise<unknown> {
  if (input === undefined) return {};
  return parseJsonBytes(await readBytes(input));
}

async function readBytes(input: string): Promise<Uint8Array> {
  if (input === '-') return buffer(process.stdin);
  if (!input.startsWith('@')) return Buffer.from(input);
  try {
    return await readFile(input.slice(1));
  } catch (cause) {
    throw new Error(`The file ${input.slice(1)} could not be read.`, { cause });
  }
}

const agree: Consent = () => Promise.resolve('accepted');

/** Asks on the terminal. Without one nobody can agree, so no money is spent. */
function buildConsent(): Consent {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    return () => {
      say('This costs money: add --yes to agree.');
      return Promise.resolve('declined');
    };
  }
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await terminal.question(`${toTerminalText(describeFeeQuestion(question))} [y/N] `);
      return /^y(es)?$/i.test(answer.trim()) ? 'accepted' : 'declined';
    } finally {
      terminal.close();
      say('');
    }
  };
}
