/** Figures in the text format of Prometheus (version 0.0.4). */
import type { Histogram, Labels, Sample } from '@waypost/platform/tally'

/** The values of a histogram, which another process may have counted. */
export type CountedHistogram = Pick<Histogram, 'bounds' | 'counts' | 'sum'>

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric with its current values. */
export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  values: { samples: Iterable<Sample> } | { histograms: Iterable<readonly [Labels, CountedHistogram]> }
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

function labelled(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  const pairs = names.map((name, place) => `${name}="${escaped(values[place] ?? '').replaceAll('"', '\\"')}"`)
  return `{${pairs.join(',')}}`
}

/** Prometheus has its own spelling for infinity and NaN. */
const spelt = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'

/** A histogram in the form of Prometheus: each bucket counts all values within its bound. */
function bucketLines(
  name: string,
  names: readonly string[],
  [labels, histogram]: readonly [Labels, CountedHistogram],
): string[] {
  let total = 0
  const lines = histogram.counts.map((count, place) => {
    total += count
    const bound = histogram.bounds[place]
    const le = bound === undefined ? '+Inf' : String(bound)
    return `${name}_bucket${labelled([...names, 'le'], [...names.map((_, index) => labels[index] ?? ''), le])} ${total}`
  })
  const own = labelled(names, labels)
  return [...lines, `${name}_sum${own} ${spelt(histogram.sum)}`, `${name}_count${own} ${total}`]
}

function linesOf({ name, help, type, labels, values }: Family): string[] {
  const lines =
    'samples' in values
      ? Array.from(values.samples, ([given, value]) => `${name}${labelled(labels, given)} ${spelt(value)}`)
      : Array.from(values.histograms).flatMap((each) => bucketLines(name, labels, each))
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, '']
}

export const expositionOf = (families: Iterable<Family>): string =>
  Array.from(families, (family) => linesOf(family).join('\n')).join('\n')
