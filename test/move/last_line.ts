import type { Reporter, TestModule } from 'vitest/node';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- added to vitest's own, which only an interface can be
  export interface TaskMeta {
    /** Lines that a test leaves for the end of the run. */
    figures?: string[];
  }
}

const NOTHING_RAN =
  'NOTHING RAN: there is no PostgreSQL server here to start (apt-get install postgresql; with TEST_POSTGRES=required this is an error)';

/** Prints the tests' findings, after everything else. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const isSkipped =
      modules.every((module) => module.ok()) && tests.every((test) => test.result().state === 'skipped');
    const lines = isSkipped ? [NOTHING_RAN] : tests.flatMap((test) => test.meta().figures ?? []);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
