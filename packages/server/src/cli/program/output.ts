/** The output of commands: a table for people, JSON with `--json` for programs. */
import type { Readable } from 'node:stream'
import { fieldOf } from '@waypost/platform/json/values'

/** The environment of a command: its settings, and its output and error streams. */
export interface Terminal {
  env: Record<string, string | undefined>
  out(text: string): void
  err(text: string): void
  /** Standard input, if there is one. */
  readonly input?: (Readable & { isTTY?: boolean; setRawMode?(raw: boolean): unknown }) | undefined
}

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  // Opened on first use, because an open standard input keeps the process alive.
  get input() {
    return process.stdin
  },
}

export interface Output {
  json: boolean
  write(text: string): void
  /** A progress line for people only, separate from the result. */
  progress(text: string): void
}

export const createOutput = (json: boolean, { out, err }: Terminal): Output => ({
  json,
  write: (text) => out(`${text}\n`),
  progress: (text) => {
    if (!json) err(`${text}\n`)
  },
})

/** Prints one object as JSON, or as lines of name and value. */
export function printObject(output: Output, object: object): void {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  const lines = Object.entries(object).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
  output.write(output.json ? JSON.stringify(object) : lines.join('\n'))
}

/** Prints rows as a JSON array, or as a table with the given columns. */
export function printRows(output: Output, rows: readonly object[], columns: readonly string[], empty: string): void {
  output.write(output.json ? JSON.stringify(rows) : rows.length === 0 ? empty : table(rows, columns))
}

/** Prints a list that was read with one extra row, and says whether there are more. */
export function printList(
  output: Output,
  rows: readonly object[],
  { columns, empty, limit }: { columns: readonly string[]; empty: string; limit: number },
): void {
  printRows(output, rows.slice(0, limit), columns, empty)
  if (rows.length > limit) output.progress(`Only the first ${limit} are shown; use --limit N for more.`)
}

function table(rows: readonly object[], columns: readonly string[]): string {
  const cells = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(fieldOf(row, name)))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const pad = (line: readonly string[]): string => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')
  return cells.map((line) => pad(line).trimEnd()).join('\n')
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const hasRemedy = (error: Error): error is Error & { remedy: string } =>
  'remedy' in error && typeof error.remedy === 'string'

/** An error for people: the reason and, if known, the remedy. */
export function complaintOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return hasRemedy(error) ? `${error.message}: ${error.remedy}` : error.message
}

/** A time of the API, for people. */
export const shownTime = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000', '')
