/** Starts that are refused. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import type { Ended } from './command-line.ts'

export const newFolder = () => mkdtempDisposable(path.join(tmpdir(), 'waypost-boot-'))

/** A refusal says what is wrong and what to do, without a stack or a secret, and the exit status is 1. */
export function expectRefusal(run: Ended, reason: string | RegExp): void {
  expect(run.stderr).toMatch(reason)
  expect(run.code).toBe(1)
  expect(run.stdout).toBe('')
  expect(run.stderr).toMatch(/^waypost: /)
  expect(run.stderr).not.toMatch(/\n\s+at |CANARY/)
}
