/** Stores the time report of a run. */
import type { Reporter, TestModule } from 'vitest/node'
import { type FileTimes, keepTimes, type TestTime } from './report.ts'

export class TimesReporter implements Reporter {
  #begun = performance.now()

  onTestRunStart(): void {
    this.#begun = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { user, system } = process.cpuUsage()
    keepTimes({
      at: new Date().toISOString(),
      wall: (performance.now() - this.#begun) / 1000,
      mainCpu: (user + system) / 1e6,
      files: modules.map(timesOf),
      slowestTests: modules
        .flatMap(testsOf)
        .toSorted((a, b) => b.seconds - a.seconds)
        .slice(0, 200),
    })
  }
}

function timesOf(module: TestModule): FileTimes {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  const setup = (prepareDuration + environmentSetupDuration + setupDuration) / 1000
  return {
    file: module.relativeModuleId,
    wall: setup + (collectDuration + duration) / 1000,
    import: collectDuration / 1000,
    setup,
    tests: duration / 1000,
    cpu: module.meta().cpuSeconds ?? 0,
    leftOpen: module.meta().leftOpen ?? [],
  }
}

const testsOf = (module: TestModule): TestTime[] =>
  Array.from(module.children.allTests(), (test) => ({
    file: module.relativeModuleId,
    name: test.fullName,
    seconds: (test.diagnostic()?.duration ?? 0) / 1000,
  }))
