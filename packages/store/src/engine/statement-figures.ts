/** Counts and durations of statements, by statement name. */

export interface StatementFigures {
  count: number
  seconds: number
}

/** Connections to a database server. */
export interface ConnectionFigures {
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

export class StoreFigures {
  readonly #statements = new Map<string, StatementFigures>()
  /** Transactions that were restarted, because a row was locked or another process wrote. */
  retries = 0
  /** Undefined for a store that runs in our own process. */
  connections: () => ConnectionFigures | undefined = () => undefined

  ran({ name }: { readonly name: string }, milliseconds: number): void {
    const figures = this.of(name)
    figures.count++
    figures.seconds += milliseconds / 1000
  }

  /** The counters of a statement, for callers that count often. */
  of(name: string): StatementFigures {
    let known = this.#statements.get(name)
    if (!known) {
      known = { count: 0, seconds: 0 }
      this.#statements.set(name, known)
    }
    return known
  }

  /** By name. All texts of a statement that is composed at run time count as one. */
  statements(): Map<string, StatementFigures> {
    const all = new Map<string, StatementFigures>()
    for (const [name, { count, seconds }] of this.#statements) {
      if (count === 0) continue
      const written = name.replace(/\.\d+$/, '') || 'unnamed'
      const sum = all.get(written) ?? { count: 0, seconds: 0 }
      all.set(written, { count: sum.count + count, seconds: sum.seconds + seconds })
    }
    return all
  }
}
