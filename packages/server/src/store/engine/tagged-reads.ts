/**
 * Long rows that were read before, with the tag that the store made of what is in them: when they are asked for again, the
 * store is asked whether the tag is still the same, and sends the rest where it is not.
 */
import type { Queries, Statement, Value } from './database.ts'
import { charactersOf, keyOf } from './kept-reads.ts'

/** So many characters are kept in all, of those that were asked for last. */
const mostCharacters = 4_000_000

interface Known {
  /** Undefined where it was asked for once. */
  row: { tag: string | null } | undefined
  characters: number
}

export class TaggedReads {
  readonly #queries: Pick<Queries, 'get'>
  /** By text and values, what was asked for last at the end. */
  readonly #known = new Map<string, Known>()
  #characters = 0

  constructor(queries: Pick<Queries, 'get'>) {
    this.#queries = queries
  }

  /** The first row: the same object as long as the store says that it is the same. */
  async get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    const { tagged } = statement
    if (!tagged) return this.#queries.get(statement, parameters)
    const key = `${statement.text}\0${keyOf(parameters)}`
    const known = this.#known.get(key)
    if (!known) {
      // Most pages are asked for once: to have tags made of them, and to keep them, would be for nothing.
      this.#keep(key, undefined)
      return this.#queries.get(statement, parameters)
    }
    const found = await this.#queries.get(tagged, [...parameters, known.row?.tag ?? ''])
    const row = known.row && found?.tag === known.row.tag ? known.row : Object.freeze(found)
    this.#keep(key, row)
    return row as T | undefined
  }

  #keep(key: string, row: Known['row']): void {
    this.#characters -= this.#known.get(key)?.characters ?? 0
    this.#known.delete(key)
    const characters = key.length + (row ? charactersOf(row) : 0)
    this.#known.set(key, { row, characters })
    this.#characters += characters
    for (const [oldest, { characters: freed }] of this.#known) {
      if (this.#characters <= mostCharacters) break
      this.#known.delete(oldest)
      this.#characters -= freed
    }
  }
}
