/** Converts rows to file text. Pure functions. */

export type ExportFormat = 'csv' | 'json' | 'jsonl'

/** An exported column: its heading and the value of a row. */
export type ExportColumn<T> = readonly [heading: string, value: (row: T) => unknown]

export const fileTypes: Record<ExportFormat, { ending: string; type: string; words: string }> = {
  csv: { ending: 'csv', type: 'text/csv', words: 'CSV (for spreadsheets)' },
  json: { ending: 'json', type: 'application/json', words: 'JSON (one array)' },
  jsonl: { ending: 'jsonl', type: 'application/x-ndjson', words: 'JSON Lines (one object per line)' },
}

/** Spreadsheets treat text that starts with one of these characters as a formula and run it. */
const formula = /^[=+\-@\t\r]/

/** A cell as defined by RFC 4180. Possible formulas get a leading apostrophe, which spreadsheets do not show. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Unix seconds as an ISO 8601 time. */
export const isoTime = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '' : new Date(seconds * 1000).toISOString()

/** Creates the text of a file piece by piece. */
export interface Exporter<T> {
  begin(): string
  rows(rows: readonly T[]): string
  end(): string
}

export function exporterOf<T>(
  format: ExportFormat,
  columns: readonly ExportColumn<T>[],
  { byteOrderMark }: { byteOrderMark: boolean },
): Exporter<T> {
  const mark = byteOrderMark ? '\ufeff' : ''
  if (format === 'csv') {
    return {
      begin: () => mark + csvLine(columns.map(([heading]) => heading)),
      rows: (rows) => rows.map((row) => csvLine(columns.map(([, value]) => value(row)))).join(''),
      end: () => '',
    }
  }
  if (format === 'jsonl') {
    return { begin: () => '', rows: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''), end: () => '' }
  }
  let isFirst = true
  return {
    begin: () => '[',
    rows: (rows) =>
      rows
        .map((row) => {
          const text = `${isFirst ? '' : ','}\n${JSON.stringify(row)}`
          isFirst = false
          return text
        })
        .join(''),
    end: () => '\n]\n',
  }
}
