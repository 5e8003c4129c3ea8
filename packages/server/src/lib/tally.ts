/** Figures as plain numbers, which cost next to nothing to count and are read when somebody asks. */

/** The values of labels, in the order in which the labels are named. */
export type Labels = readonly string[]
export type Sample = readonly [labels: Labels, value: number]

/** Values are joined by what none of them holds. */
const separator = '\u001F'

/** A number that goes up. */
export interface Count {
  value: number
}

/** Counts by labels. What the labels may say is bounded by who counts: nothing that comes from outside. */
export class Counts {
  readonly #counts = new Map<string, Count>()

  /** The count of these labels, for who counts often. */
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

/** How long things took. */
export class Histogram {
  readonly bounds: readonly number[]
  /** How many were within each bound and above the one before; the last count is of all that were above every bound. */
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

/** Histograms by labels, all with the same bounds. */
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
