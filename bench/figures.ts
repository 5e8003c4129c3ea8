/** How benchmarks are asked, and how they tell what they measured. */
export const quick = process.argv.includes('--quick')

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

export const ratio = (part: number, whole: number): number => round(part / whole)

/** A table, or JSON for programs that say `--json`. */
export function report(figures: object): void {
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures))
  else console.table(figures)
}
