/** Latencies as histograms, which can be merged over nodes and times. */

/**
 * Bounds grow by the square root of two, from half a millisecond to six minutes, so the median is exact to within a
 * fifth.
 */
const bucketCount = 40
const firstMs = 0.5

export type Histogram = number[]

export const emptyHistogram = (): Histogram => Array.from({ length: bucketCount }, () => 0)

const bucketOf = (milliseconds: number): number =>
  milliseconds <= firstMs ? 0 : Math.min(Math.ceil(2 * Math.log2(milliseconds / firstMs)), bucketCount - 1)

export function observe(histogram: Histogram, milliseconds: number): void {
  const bucket = bucketOf(milliseconds)
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

/** The time within which this part of all calls finished; null for an empty histogram. */
export function percentile(histogram: Histogram, part: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = Math.ceil(total * part)
  const bucket = histogram.findIndex((count) => {
    left -= count
    return left <= 0
  })
  return Number((firstMs * 2 ** ((bucket - 0.5) / 2)).toPrecision(2))
}

/** Merges the histograms of several rows. */
export const together = (texts: readonly string[]): Histogram => {
  const sum = emptyHistogram()
  for (const text of texts) {
    const counts: Histogram = JSON.parse(text)
    for (const [bucket, count] of counts.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
  }
  return sum
}
