/** How benchmarks are asked, and how they tell what they measured. */
export const quick = process.argv.includes('--quick')
export const isForPrograms = process.argv.includes('--json')

export const median = (values: readonly number[]): number => percentile(values, 0.5)

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

export const ratio = (part: number, whole: number): number => round(part / whole)

/** A figure beside the floor taken in the same run, and what it should be. */
export interface FigureRow {
  what: string
  store: string
  figure: number
  floor: number | null
  unit: string
  ratio: number | null
  aim: string
  /** `null` where there is no aim: the figure is there to be compared over time. */
  met: boolean | null
}

/** `ratio` is given where it is not the figure over the floor: the median of pairs, or the floor's cost over ours. */
interface RowParts {
  store?: string
  figure: number
  floor?: number | null
  unit: string
  aim?: string
  ratio?: number
  /** The aim is one of the figure, though there is a floor to see it beside. */
  isAbsolute?: boolean
}

/** An aim is a bound, of the ratio where there is a floor, else of the figure: `>= 0.50`, `<= 1.25`. */
export function rowOf(
  what: string,
  { store = '', figure, floor = null, unit, aim = '', ratio: given, isAbsolute = false }: RowParts,
): FigureRow {
  const quotient = given ?? (floor === null ? null : figure / floor)
  const told = { figure: round(figure), floor: floor === null ? null : round(floor) }
  const compared = quotient === null ? null : round(quotient)
  return {
    what,
    store,
    ...told,
    unit,
    ratio: compared,
    aim,
    met: aim === '' ? null : isMet(aim, isAbsolute ? told.figure : (compared ?? told.figure)),
  }
}

function isMet(aim: string, value: number): boolean {
  const [sign, bound = ''] = aim.split(' ')
  if ((sign !== '>=' && sign !== '<=') || bound === '' || !Number.isFinite(Number(bound)))
    throw new Error(`no aim: ${aim}`)
  return sign === '>=' ? value >= Number(bound) : value <= Number(bound)
}

/** A table, or JSON for programs that say `--json`. */
export function report(figures: object): void {
  if (isForPrograms) console.log(JSON.stringify(figures))
  else console.table(figures)
}
