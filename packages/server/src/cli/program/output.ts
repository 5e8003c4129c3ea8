/** What commands print: a table for people, JSON with `--json` for programs. */
import type { Readable } from 'node:stream'

/** Where a command is run: its settings, and where its result and what is said beside it go. */
export interface Terminal {
  env: Record<string, string | undefined>
  out(text: string): void
  err(text: string): void
  /** Standard input, where there is one. */
  readonly input?: (Readable & { isTTY?: boolean; setRawMode?(raw: boolean): unknown }) | undefined
}

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  // Opened by whoever reads it: an open one keeps the process alive.
  get input() {
    return process.stdin
  },
}

export interface Output {
  json: boolean
  write(text: string): void
  /** A line about work under way: for people only, beside the result. */
  progress(text: string): void
}

export const createOutput = (json: boolean, { out, err }: Terminal): Output => ({
  json,
  write: (text) => out(`${text}\n`),
  progress: (text) => {
    if (!json) err(`${text}\n`)
  },
})

/** Prints one object: as JSON, or as lines of name and value. */
export function printObject(output: Output, object: Record<string, unknown>): void {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  const lines = Object.entries(object).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
  output.write(output.json ? JSON.stringify(object) : lines.join('\n'))
}

/** Prints rows: as a JSON array, or as a table with the given columns. */
export function printRows(
  output: Output,
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  empty: string,
): void {
  output.write(output.json ? JSON.stringify(rows) : rows.length === 0 ? empty : table(rows, columns))
}

/** Prints a list that was read with one row more than its limit: whether there are more is said. */
export function printList(
  output: Output,
  rows: readonly Record<string, unknown>[],
  { columns, empty, limit }: { columns: readonly string[]; empty: string; limit: number },
): void {
  printRows(output, rows.slice(0, limit), columns, empty)
  if (rows.length > limit) output.progress(`These are the first ${limit}; --limit N shows more.`)
}

function table(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  const cells = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const pad = (line: readonly string[]): string => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')
  return cells.map((line) => pad(line).trimEnd()).join('\n')
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
