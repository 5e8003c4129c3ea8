/** The result of a check, and how it is printed. */
import type { Output } from '../program/output.ts'

export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  message: string
  remedy?: string
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })
export const problem = (check: string, message: string, remedy: string): Finding => ({
  check,
  state: 'problem',
  message,
  remedy,
})
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  message,
  remedy,
})

const marks = { ok: '✓', warning: '!', problem: '✗' }

/** Prints findings and returns the exit code. */
export function printFindings(output: Output, findings: readonly Finding[]): number {
  if (output.json) output.write(JSON.stringify(findings))
  for (const { state, check, message, remedy } of output.json ? [] : findings) {
    output.write(`${marks[state]} ${check}: ${message}${remedy ? `\n    ${remedy}` : ''}`)
  }
  return findings.some(({ state }) => state === 'problem') ? 1 : 0
}
