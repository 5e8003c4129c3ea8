/** Converts figures of a mailbox to rows. The names describe the figures, and their endings give the unit. */
import { type FigureRow, rowOf } from '../figures.ts'

const units: readonly [ending: RegExp, unit: string][] = [
  [/_ms(?:_\d+)?$/, 'ms'],
  [/_kb$/i, 'KB'],
  [/ratio(?:_\d+)?$/, 'times the floor'],
]

export const rowsOf = (part: string, figures: Readonly<Record<string, number>>): FigureRow[] =>
  Object.entries(figures).map(([name, figure]) =>
    rowOf(`${part}: ${name.replaceAll('_', ' ')}`, {
      figure,
      unit: units.find(([ending]) => ending.test(name))?.[1] ?? '',
    }),
  )
