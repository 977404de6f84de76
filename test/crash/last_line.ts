import type { Reporter, TestModule } from 'vitest/node';
import * as instances from './instances/troubles.js';
import {
  addNumbers,
  addTallies,
  EMPTY_TALLY,
  NOTHING_INJECTED,
  toInjectedLine,
  toLine,
  type Injected,
  type Tally,
} from './tally.js';

export const NOTHING_RAN =
  'NOTHING RAN: there is no PostgreSQL server here to start and to stop (apt-get install postgresql; with TEST_POSTGRES=required this is an error)';

/** Values a test leaves for the last lines. */
type Meta = { tally?: Tally; injected?: Injected; instances?: instances.Injected };

/** Prints the totals of all injected faults and tallies, after all other output. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    if (tests.length > 0 && tests.every((test) => test.result().state === 'skipped')) {
      process.stdout.write(`${NOTHING_RAN}\n`);
      return;
    }
    const metas = tests.map((test) => test.meta() as Meta);
    const overInstances = metas.flatMap((meta) => meta.instances ?? []);
    const injected =
      overInstances.length > 0
        ? instances.toInjectedLine(overInstances.reduce(addNumbers, instances.NOTHING_INJECTED))
        : toInjectedLine(metas.flatMap((meta) => meta.injected ?? []).reduce(addNumbers, NOTHING_INJECTED));
    const tally = metas.flatMap((meta) => meta.tally ?? []).reduce(addTallies, EMPTY_TALLY);
    process.stdout.write(`${injected}\n${toLine(tally)}\n`);
  }
}
