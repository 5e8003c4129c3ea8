// A third-party Exchange client in Python: https://github.com/ecederstrand/exchangelib
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const PYTHON = '/usr/bin/python3'

/** Runs a script of this folder, and returns its output as JSON. */
export async function runExchangelib(script: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(PYTHON, [path.join(import.meta.dirname, script), ...args], {
    timeout: 100_000,
  })
  return JSON.parse(stdout)
}
