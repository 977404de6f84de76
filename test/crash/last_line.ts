import type { Reporter, TestModule } from 'vitest/node';
import {
  addInjected,
  addTallies,
  EMPTY_TALLY,
  NOTHING_INJECTED,
  toInjectedLine,
  toLine,
  type Injected,
  type Tally,
} from './tally.js';

/** Prints the sums of what all tests injected and counted, after everything else. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const metas = tests.map((test) => test.meta() as { tally?: Tally; injected?: Injected });
    const injected = metas.flatMap((meta) => meta.injected ?? []).reduce(addInjected, NOTHING_INJECTED);
    const tally = metas.flatMap((meta) => meta.tally ?? []).reduce(addTallies, EMPTY_TALLY);
    process.stdout.write(`${toInjectedLine(injected)}\n${toLine(tally)}\n`);
  }
}
