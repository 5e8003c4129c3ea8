/**
 * Collects the lines of a page with its tables. Most tables in mail are layout. Only a table with several columns and
 * no inner table is written as a table, which is certain only at its end. Until then, the lines of its cells are
 * collected separately.
 */
import { type Line, line } from './clean-lines.ts'

type Row = Line[][]

interface Table {
  readonly rows: Row[]
  /** The lines of the page or cell that contains the table. */
  readonly outside: Line[]
  readonly asMarkdown: boolean
  isLayout: boolean
}

/** Tables nested deeper than this are treated as layout. */
const MAX_TABLES = 8

export class Page {
  readonly #tables: Table[] = []
  #lines: Line[] = []

  get isInTable(): boolean {
    return this.#tables.length > 0
  }

  push(each: Line): void {
    this.#lines.push(each)
  }

  /** Starts a table and returns whether it is processed as a table. */
  beginTable(options: { readonly ignore_tables: boolean; readonly html_as_markdown: boolean }): boolean {
    const outer = this.#tables.at(-1)
    if (outer !== undefined) outer.isLayout = true
    if (options.ignore_tables || this.#tables.length >= MAX_TABLES) return false
    this.#tables.push({ rows: [], outside: this.#lines, asMarkdown: options.html_as_markdown, isLayout: false })
    return true
  }

  beginRow(): void {
    this.#tables.at(-1)?.rows.push([])
  }

  beginCell(): void {
    const table = this.#tables.at(-1)
    if (table === undefined) return
    this.#lines = []
    if (table.rows.length === 0) table.rows.push([])
    table.rows.at(-1)?.push(this.#lines)
  }

  endCell(): void {
    this.#lines = this.#tables.at(-1)?.outside ?? this.#lines
  }

  endTable(): void {
    const table = this.#tables.pop()
    if (table === undefined) return
    this.#lines = table.outside
    this.push(line(''))
    for (const each of tableLines(table)) this.push(each)
  }

  end(): Line[] {
    while (this.isInTable) this.endTable()
    return this.#lines
  }
}

function tableLines({ rows, isLayout, asMarkdown }: Table): Line[] {
  const columns = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const hasQuotes = rows.some((row) => row.some((cell) => cell.some(({ quoted }) => quoted === 'yes')))
  if (isLayout || hasQuotes || columns < 2) return rows.flat(2)
  const texts = rows.map((row) => row.map(cellText)).filter((row) => row.some((text) => text !== ''))
  if (!asMarkdown) return texts.map((row) => line(row.filter((text) => text !== '').join(' | ')))
  const written = texts.map((row) => line(`| ${Array.from({ length: columns }, (_, i) => row[i] ?? '').join(' | ')} |`))
  return [...written.slice(0, 1), line(`|${' --- |'.repeat(columns)}`), ...written.slice(1)]
}

const cellText = (cell: readonly Line[]): string =>
  cell
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join(' ')
    .replaceAll('|', '\\|')
