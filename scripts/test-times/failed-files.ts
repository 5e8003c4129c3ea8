/** Remembers which test files failed, for `scripts/failed-files.ts`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

const file = fileURLToPath(new URL('../../node_modules/.cache/waypost-failed-files.json', import.meta.url))

export class FailedFilesReporter implements Reporter {
  /** A run that does not end leaves no list behind. */
  onTestRunStart(): void {
    rmSync(file, { force: true })
  }

  /** An error outside of the tests belongs to no file, so that running files again would not show it. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId)
    if (failed.length === 0 || unhandled.length > 0) return
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(failed))
  }
}

/** The files that failed in the last run. Undefined if none did, or the run did not end. */
export function readFailedFiles(): string[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
