/**
 * Runs commands as people and programs do. A command in its own process costs a second. A command in this process has
 * its own settings, and its output is captured. Each file tests once what a process adds.
 */
import { execFile } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import type { Terminal } from '../src/cli/program/output.ts'
import { run } from '../src/cli/run.ts'

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export async function runHere(args: string[], env: Record<string, string>, input?: Terminal['input']): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const code = await run(args, {
    env,
    input,
    out: (text) => {
      printed.stdout += text
    },
    err: (text) => {
      printed.stderr += text
    },
  })
  // A server in this process may still read from a snapshot of this turn, which it would not share with another
  // process.
  await nextTurn()
  return { code, ...printed }
}

export async function runProcess(args: string[], env: Record<string, string>): Promise<Ended> {
  const options = {
    env: { ...processEnvironment, ...env },
    maxBuffer: 1e8,
    timeout: 60_000,
    killSignal: 'SIGKILL' as const,
  }
  const file = await programFile('waypost')
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, stdout, stderr }),
    )
  })
}
