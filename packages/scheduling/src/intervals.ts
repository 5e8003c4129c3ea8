/**
 * Half-open intervals [start, end) of whole seconds. Merged lists are packed as start, end, start, end … in one array
 * of doubles, ascending, neither empty nor overlapping nor touching. Doubles hold every Unix second that the contract
 * allows; 32 bits would not.
 */

export interface Interval {
  readonly start: number
  readonly end: number
}

/** Merged intervals, packed: start, end, start, end … */
export type Spans = Float64Array<ArrayBuffer>

/** Seconds by which every interval grows at each end. */
export interface Growth {
  readonly before: number
  readonly after: number
}

const noGrowth: Growth = { before: 0, after: 0 }

/** The union of the intervals. Empty ones are dropped, touching ones are merged. */
export const mergeIntervals = (intervals: readonly Interval[]): Spans => mergeGrown(intervals, noGrowth)

/** The union of the intervals after each has grown. An empty one counts if growing makes it non-empty. */
export function mergeGrown(intervals: readonly Interval[], { before, after }: Growth): Spans {
  const starts = new Float64Array(intervals.length)
  const ends = new Float64Array(intervals.length)
  let count = 0
  for (const interval of intervals) {
    const start = interval.start - before
    const end = interval.end + after
    if (start >= end) continue
    starts[count] = start
    ends[count] = end
    count += 1
  }
  return uniteSorted(starts.subarray(0, count).sort(), ends.subarray(0, count).sort())
}

/**
 * Starts and ends may be sorted separately: the union has a gap after the i-th end exactly if the next start is
 * later, because then as many intervals have ended as have started.
 */
function uniteSorted(starts: Float64Array, ends: Float64Array): Spans {
  const spans = new Float64Array(starts.length * 2)
  let size = 0
  for (let i = 0; i < starts.length; ) {
    spans[size] = starts[i]
    while (i + 1 < starts.length && starts[i + 1] <= ends[i]) i += 1
    spans[size + 1] = ends[i]
    size += 2
    i += 1
  }
  return spans.slice(0, size)
}

/** The parts of the spans inside the window. */
export function clipSpans(spans: Spans, window: Interval): Spans {
  const clipped = new Float64Array(spans.length)
  let size = 0
  for (let i = 0; i < spans.length; i += 2) {
    const start = Math.max(spans[i], window.start)
    const end = Math.min(spans[i + 1], window.end)
    if (start >= end) continue
    clipped[size] = start
    clipped[size + 1] = end
    size += 2
  }
  return clipped.slice(0, size)
}

/** The parts of `spans` that `taken` does not cover. */
export function subtractSpans(spans: Spans, taken: Spans): Spans {
  const left = new Float64Array(spans.length + taken.length)
  let size = 0
  let next = 0
  for (let i = 0; i < spans.length; i += 2) {
    const end = spans[i + 1]
    let start = spans[i]
    while (next < taken.length && taken[next + 1] <= start) next += 2
    // A taken span may extend into the next span, so the last one used is checked again there.
    for (let at = next; at < taken.length && taken[at] < end; at += 2) {
      if (taken[at] > start) {
        left[size] = start
        left[size + 1] = taken[at]
        size += 2
      }
      start = taken[at + 1]
    }
    if (start >= end) continue
    left[size] = start
    left[size + 1] = end
    size += 2
  }
  return left.slice(0, size)
}

/** The parts that both lists of spans cover. */
export const intersectSpans = (a: Spans, b: Spans): Spans => subtractSpans(a, subtractSpans(a, b))

/** The spans as a list of intervals. */
export const toIntervals = (spans: Spans): Interval[] =>
  Array.from({ length: spans.length / 2 }, (_, i) => ({ start: spans[i * 2], end: spans[i * 2 + 1] }))
