/** Names the tests that failed and then did not: each is to be mended, though the run is green. */
import type { Reporter, TestModule } from 'vitest/node'

export class SecondTriesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    for (const test of tests.filter((each) => each.diagnostic()?.flaky)) {
      console.log(`needed a second try: ${test.module.relativeModuleId} > ${test.fullName}`)
      const { errors } = test.result()
      for (const { message } of errors ?? []) console.log(`  ${message}`)
    }
  }
}
