// The change numbers already reported to a client, as ranges.

export type Range = readonly [first: number, last: number]

export interface Seen {
  has(change: number): boolean
  add(change: number): void
  /** In order; adjacent ranges are merged. */
  ranges(): Range[]
}

export function createSeen(ranges: readonly Range[]): Seen {
  let known = [...ranges]
  let added: number[] = []

  function merge(): Range[] {
    const all = [...known, ...added.map((change): Range => [change, change])].toSorted(([a], [b]) => a - b)
    added = []
    known = []
    for (const range of all) {
      const last = known.at(-1)
      if (last !== undefined && range[0] <= last[1] + 1)
        known[known.length - 1] = [last[0], Math.max(last[1], range[1])]
      else known.push(range)
    }
    return known
  }

  return {
    has: (change) => known.some(([first, last]) => first <= change && change <= last) || added.includes(change),
    add: (change) => void added.push(change),
    ranges: merge,
  }
}
