import type { Reporter, TestModule } from 'vitest/node';
import { addTallies, EMPTY_TALLY, toLine, type Tally } from './tally.js';

/** Prints the sum of what all tests counted, after everything else. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const tallies = tests.flatMap((test) => (test.meta() as { tally?: Tally }).tally ?? []);
    process.stdout.write(`${toLine(tallies.reduce(addTallies, EMPTY_TALLY))}\n`);
  }
}
