import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/** Closes the run with one plain line: "N passed, N failed, N skipped". */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const n = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // Errors of imports and hooks belong to no test.
      for (const part of [module, ...module.children.allSuites()]) n.failed += part.errors().length;
      for (const test of module.children.allTests()) n[test.result().state]++;
    }
    // A global set-up that threw leaves no failed test behind.
    if (reason === 'failed' && n.failed === 0) n.failed = 1;
    process.on('exit', () =>
      console.log(`${n.passed} passed, ${n.failed} failed, ${n.skipped + n.pending} skipped`),
    );
  }
}
