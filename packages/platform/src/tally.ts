/** Metrics as plain numbers: cheap to count, and rendered only when they are read. */

/** Label values, in the order of the label names. */
export type Labels = readonly string[]
export type Sample = readonly [labels: Labels, value: number]

/** Joins label values. No value contains it. */
const separator = '\u001F'

/** A number that goes up. */
export interface Count {
  value: number
}

/** Counters by labels. Callers must bound the set of label values and never use values from outside. */
export class Counts {
  readonly #counts = new Map<string, Count>()

  /** The counter for these labels, for callers that count often. */
  of(...labels: string[]): Count {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join(separator)
    let count = this.#counts.get(key)
    if (!count) {
      count = { value: 0 }
      this.#counts.set(key, count)
    }
    return count
  }

  add(...labels: string[]): void {
    this.of(...labels).value++
  }

  samples(): Sample[] {
    return Array.from(this.#counts, ([key, { value }]) => [key.split(separator), value] as const)
  }
}

/** A histogram of durations. */
export class Histogram {
  readonly bounds: readonly number[]
  /** Number of values per bucket. The last count holds the values above every bound. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let place = 0
    while (place < bounds.length && value > (bounds[place] ?? 0)) place++
    counts[place] = (counts[place] ?? 0) + 1
    this.sum += value
  }
}

/** Histograms by labels, all with the same buckets. */
export class Histograms {
  readonly bounds: readonly number[]
  readonly #histograms = new Map<string, Histogram>()

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
  }

  of(...labels: string[]): Histogram {
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join(separator)
    let histogram = this.#histograms.get(key)
    if (!histogram) {
      histogram = new Histogram(this.bounds)
      this.#histograms.set(key, histogram)
    }
    return histogram
  }

  entries(): (readonly [Labels, Histogram])[] {
    return Array.from(this.#histograms, ([key, histogram]) => [key.split(separator), histogram] as const)
  }
}
