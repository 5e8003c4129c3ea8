/** The results of the benchmarks, and their form in docs/performance.md. Pure. */
import type { FigureRow } from './figures.ts'

export interface Results {
  date: string
  node: string
  processors: number
  memoryGb: number
  /** Keyed by benchmark name; `load` is the load of the machine at the start. */
  benchmarks: Record<string, { date: string; quick: boolean; load: number; rows: FigureRow[] }>
}

/** Replaces the text between two markers of a document. The first marker names the content. */
export function replaceBetween(document: string, what: string, text: string): string {
  const begin = `<!-- ${what}: written by npm run bench:all -- --document -->`
  const [from, to] = [document.indexOf(begin), document.indexOf(`<!-- end of ${what} -->`)]
  if (from < 0 || to < from) throw new Error(`the document has no place for ${what}`)
  return `${document.slice(0, from)}${begin}\n\n${text}\n\n${document.slice(to)}`
}

const cell = (value: string | number | null): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : value.replaceAll('|', '\\|')

const verdict = (met: boolean | null): string => (met === null ? '' : met ? 'yes' : '**no**')

function tableOf(rows: readonly FigureRow[]): string {
  const lines = rows.map(({ what, store, figure, floor, unit, ratio, aim, met }) =>
    [what, store, `${figure} ${unit}`, floor, ratio, aim, verdict(met)].map(cell).join(' | '),
  )
  const head = ['What | Store | Figure | Floor | Ratio | Aim | Met', '--- | --- | --- | --- | --- | --- | ---']
  return [...head, ...lines].map((line) => `| ${line} |`).join('\n')
}

/** Inserts the tables of all benchmarks between the two markers of a document. */
export function replaceTable(document: string, { benchmarks, ...machine }: Results): string {
  const about = `${machine.date}, Node ${machine.node.replace('v', '')}, ${machine.processors} processors, ${machine.memoryGb} GB.`
  const parts = Object.entries(benchmarks).map(
    ([name, { date, quick, load, rows }]) =>
      `### ${name}\n\n\`npm run ${name === 'http' ? 'bench' : `bench:${name}`}${quick ? ' -- --quick' : ''}\`, ${date}, the machine's load ${load} as it began.\n\n${tableOf(rows)}`,
  )
  return replaceBetween(document, 'figures', [about, ...parts].join('\n\n'))
}
