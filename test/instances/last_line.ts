import type { Reporter, TestModule } from 'vitest/node';
import { NOTHING_RAN } from '../crash/last_line.js';
import type { Figures } from './figures.js';

/** Prints the callers' results, after everything else. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    if (tests.length > 0 && tests.every((test) => test.result().state === 'skipped')) {
      process.stdout.write(`${NOTHING_RAN}\n`);
    }
    for (const test of tests) {
      const { figures } = test.meta() as { figures?: Figures };
      if (figures) process.stdout.write(`${toLine(figures)}\n`);
    }
  }
}

function toLine(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
    .join(', ');
}
