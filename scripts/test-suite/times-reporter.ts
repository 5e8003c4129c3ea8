/** Stores the time report of a run, and compares a complete run with the budgets of its folders. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { compareBudgets, readBudgets, type Verdict } from './budgets.ts'
import {
  type FileTimes,
  folderOf,
  lastTimes,
  type RunTimes,
  secondsByFolder,
  storeTimes,
  type TestTime,
} from './report.ts'

export class TimesReporter implements Reporter {
  #begun = performance.now()
  #machineBefore = machineSeconds()
  #vitest: Vitest | undefined
  readonly #fileCount: number

  /** Takes the number of files of the level. A run without some of them is compared with no budget. */
  constructor(fileCount: number) {
    this.#fileCount = fileCount
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(): void {
    this.#begun = performance.now()
    this.#machineBefore = machineSeconds()
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { user, system } = process.cpuUsage()
    const wall = (performance.now() - this.#begun) / 1000
    const mainCpu = (user + system) / 1e6
    const machineCpu = machineSeconds() - this.#machineBefore
    const files = modules.map(timesOf)
    const accounted = files.reduce((total, { cpu }) => total + cpu, mainCpu)
    const times: RunTimes = {
      at: new Date().toISOString(),
      level: this.#vitest?.vite.config.mode ?? 'test',
      isComplete: this.#isComplete(files),
      wall,
      mainCpu,
      machineCpu,
      otherShare: Math.max(0, machineCpu - accounted) / (wall * availableParallelism()),
      files,
      slowestTests: modules
        .flatMap(testsOf)
        .toSorted((a, b) => b.seconds - a.seconds)
        .slice(0, 200),
    }
    storeTimes(times)
    if (times.isComplete) await compareWithBudgets(times)
  }

  /** Whether the run had all files and tests of its level. */
  #isComplete(ran: readonly FileTimes[]): boolean {
    return ran.length === this.#fileCount && this.#vitest?.config.testNamePattern === undefined
  }
}

async function compareWithBudgets(times: RunTimes): Promise<void> {
  const budgets = readBudgets()[times.level]
  if (budgets === undefined) return
  const first = compareBudgets(budgets, times)
  if (first.skipped !== undefined) console.log(`\nThe budgets of the folders were not compared: ${first.skipped}.`)
  const again = await measureAgain(first, times)
  const { exceeded } = compareBudgets(budgets, times, again)
  if (exceeded.length === 0) return
  console.error('\nFolders of tests exceed their budget of processor time by more than a tenth.')
  console.error('Make something cheaper, or change the line in scripts/test-suite/budgets.json:')
  for (const line of exceeded) console.error(`  ${line}`)
  process.exitCode = 1
}

/** Runs the folders that exceed their budget once more, one after the other and without the rest of the suite. */
async function measureAgain({ exceeded, folders }: Verdict, { level, files }: RunTimes): Promise<Map<string, number>> {
  const seconds = new Map<string, number>()
  if (folders.length === 0) return seconds
  console.log(`\nThese folders exceed their budget and are measured again, alone:\n  ${exceeded.join('\n  ')}`)
  const stored = path.join(tmpdir(), `times-again-${process.pid}.json`)
  const env = { ...process.env, WAYPOST_TEST_TIMES: stored }
  for (const folder of folders) {
    const names = files.flatMap(({ file }) => (folderOf(file) === folder ? [file] : []))
    const run = spawn('vitest', ['run', '--mode', level, '--maxWorkers', '2', ...names], { env, stdio: 'ignore' })
    const [status] = await once(run, 'exit')
    const again = status === 0 ? secondsByFolder(lastTimes(stored)?.files ?? []).get(folder) : undefined
    if (again !== undefined) seconds.set(folder, again)
    rmSync(stored, { force: true })
  }
  return seconds
}

/** What all processors of the machine have done; 0 where the system does not say. */
function machineSeconds(): number {
  try {
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).map(Number)
    return [user, nice, system, irq, softirq].reduce((total: number, ticks = 0) => total + ticks / 100, 0)
  } catch {
    return 0
  }
}

function timesOf(module: TestModule): FileTimes {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  const boot = (prepareDuration + environmentSetupDuration + setupDuration + collectDuration) / 1000
  const tests = Array.from(module.children.allTests(), (test) => (test.diagnostic()?.duration ?? 0) / 1000)
  // Tests that run at the same time take more than the file.
  const inTests = Math.min(
    duration / 1000,
    tests.reduce((total, seconds) => total + seconds, 0),
  )
  return {
    file: module.relativeModuleId,
    wall: boot + duration / 1000,
    boot,
    setup: duration / 1000 - inTests,
    tests: inTests,
    waiting: module.meta().waitingSeconds ?? 0,
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
