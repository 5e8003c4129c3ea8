/** The flags of benchmarks, and the form of their results. */
export const quick = process.argv.includes('--quick')
export const isForPrograms = process.argv.includes('--json')

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

export const ratio = (part: number, whole: number): number => round(part / whole)

/** A figure, the floor of the same run, and the aim. */
export interface FigureRow {
  what: string
  store: string
  figure: number
  floor: number | null
  unit: string
  ratio: number | null
  aim: string
  /** `null` if there is no aim: the figure is only compared over time. */
  met: boolean | null
}

/** `ratio` is set if it is not figure / floor: the median of pairs, or floor / figure. */
interface RowParts {
  store?: string
  figure: number
  floor?: number | null
  unit: string
  aim?: string
  ratio?: number
  /** The aim applies to the figure itself; the floor is only for comparison. */
  isAbsolute?: boolean
}

/** An aim is a bound for the ratio, or for the figure if there is no floor: `>= 0.50`, `<= 1.25`. */
export function rowOf(
  what: string,
  { store = '', figure, floor = null, unit, aim = '', ratio: given, isAbsolute = false }: RowParts,
): FigureRow {
  const quotient = given ?? (floor === null ? null : figure / floor)
  const reported = { figure: round(figure), floor: floor === null ? null : round(floor) }
  const compared = quotient === null ? null : round(quotient)
  return {
    what,
    store,
    ...reported,
    unit,
    ratio: compared,
    aim,
    met: aim === '' ? null : isMet(aim, isAbsolute ? reported.figure : (compared ?? reported.figure)),
  }
}

function isMet(aim: string, value: number): boolean {
  const [sign, bound = ''] = aim.split(' ')
  if ((sign !== '>=' && sign !== '<=') || bound === '' || !Number.isFinite(Number(bound)))
    throw new Error(`no aim: ${aim}`)
  return sign === '>=' ? value >= Number(bound) : value <= Number(bound)
}

/** A table, or JSON with `--json`. */
export function report(figures: object): void {
  if (isForPrograms) console.log(JSON.stringify(figures))
  else console.table(figures)
}
