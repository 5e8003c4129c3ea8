/**
 * Rows that were read before, kept as long as nobody has written to their tables: who holds a key and which grant is meant
 * is asked by nearly every request, and changes seldom. Only for a store whose every write this process sees or is told of.
 */
import type { Row, Statement, Value } from './database.ts'

/** So many characters are kept in all; then it begins anew. */
const mostCharacters = 4_000_000

interface KeptStatement {
  tables: ReadonlySet<string>
  /** By their parameters. */
  answers: Map<string, unknown>
}

/** Stands for every table. */
export const everyTable = '*'

export class KeptReads {
  readonly #statements = new Map<string, KeptStatement>()
  #characters = 0

  /** What was read for these parameters, else what `read` finds, which must not wait for anything. */
  get<T>(statement: Statement<T>, parameters: readonly Value[], read: () => T | undefined): T | undefined {
    const known = this.find(statement, parameters)
    if (known !== undefined) return known
    const found = read()
    // What is not there is not kept: whoever guesses would fill the memory.
    if (found !== undefined) this.#keep(this.#of(statement).answers, keyOf(parameters), found)
    return found
  }

  /** What was read for these parameters. */
  find<T>(statement: Statement<T>, parameters: readonly Value[]): T | undefined {
    return this.#of(statement).answers.get(keyOf(parameters)) as T | undefined
  }

  /** Forgets what was read of these tables. */
  forget(tables: ReadonlySet<string>): void {
    for (const [text, { tables: read }] of this.#statements) {
      if (tables.has(everyTable) || !read.isDisjointFrom(tables)) this.#statements.delete(text)
    }
    if (this.#statements.size === 0) this.#characters = 0
  }

  #of({ text }: Statement<unknown>): KeptStatement {
    let known = this.#statements.get(text)
    if (!known) {
      known = { tables: tablesRead(text), answers: new Map() }
      this.#statements.set(text, known)
    }
    return known
  }

  #keep(answers: Map<string, unknown>, key: string, found: unknown): void {
    this.#characters += key.length + charactersOf(found)
    if (this.#characters > mostCharacters) {
      this.#statements.clear()
      this.#characters = 0
      return
    }
    // Many share it from now on.
    answers.set(key, Object.freeze(found))
  }
}

/** Values as one text: none of them holds NUL. */
export const keyOf = (parameters: readonly Value[]): string =>
  parameters.length === 1 ? String(parameters[0]) : parameters.join('\0')

/** How much a row is to keep. */
export function charactersOf(row: unknown): number {
  let sum = 0
  for (const value of Object.values(row as Row)) sum += typeof value === 'string' ? value.length : 8
  return sum
}

/** The tables that a `select` reads. */
export const tablesRead = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/\b(?:from|join)\s+(\w+)/g), ([, table]) => table ?? ''))

const writes = /\b(insert(?: or \w+)? into|replace into|update|delete from)\s+(\w+)/g

/** The tables that a statement writes to; `cascades` names those whose rows go with the rows of a table. */
export function tablesWritten(text: string, cascades: (table: string) => readonly string[]): readonly string[] {
  const written = new Set<string>()
  const add = (table: string): void => {
    if (written.has(table)) return
    written.add(table)
    for (const other of cascades(table)) add(other)
  }
  for (const [, verb = '', table = ''] of text.matchAll(writes)) {
    if (verb === 'delete from' || verb.includes('replace')) add(table)
    else written.add(table)
  }
  return written.size > 0 ? [...written] : [everyTable]
}
