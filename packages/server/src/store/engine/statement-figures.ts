/** What a store was asked, by the names of statements, as plain numbers. */

export interface StatementFigures {
  count: number
  seconds: number
}

/** Connections of a store that works beside us. */
export interface ConnectionFigures {
  used: number
  idle: number
  /** Who waits for one. */
  waiting: number
}

export class StoreFigures {
  readonly #statements = new Map<string, StatementFigures>()
  /** Transactions that were begun again, because something they needed was held or another process wrote. */
  retries = 0
  /** How its connections are used; undefined where it works in our own process. */
  connections: () => ConnectionFigures | undefined = () => undefined

  ran({ name }: { readonly name: string }, milliseconds: number): void {
    const figures = this.of(name)
    figures.count++
    figures.seconds += milliseconds / 1000
  }

  /** The figures of a statement, for who counts often. */
  of(name: string): StatementFigures {
    let known = this.#statements.get(name)
    if (!known) {
      known = { count: 0, seconds: 0 }
      this.#statements.set(name, known)
    }
    return known
  }

  /** By name; statements that are composed at run time are one, whatever their number. */
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
