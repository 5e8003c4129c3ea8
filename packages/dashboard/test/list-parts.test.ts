/** Parts of lists without a browser: exports and bulk actions. */
import { describe, expect, test } from 'vitest'
import { WaypostError } from '../../sdk/src/index.ts'
import { daysOf } from '../src/list/address.ts'
import { bulkConcurrency, runBulk } from '../src/list/bulk.ts'
import { csvCell, exporterOf } from '../src/list/export-format.ts'
import { fuzzyFind } from '../src/list/fuzzy.ts'
import { readRows } from '../src/list/view.ts'

describe('an exported file', () => {
  test('has no cell that a spreadsheet would run', () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =HYPERLINK("x")', "=cmd|' /C calc'!A0"]
    for (const text of formulas) {
      const cell = csvCell(text)
      const shown = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      expect(shown, text).toBe(`'${text}`)
    }
    expect(csvCell(-5), 'a number is none').toBe('-5')
    expect(csvCell('a=b')).toBe('a=b')
  })

  test('follows RFC 4180, with an optional byte order mark', () => {
    const columns = [
      ['name', ({ name }: { name: string }) => name],
      ['n', ({ n }: { n: number | null }) => n],
    ] as const
    const rows = [
      { name: 'a "b", c', n: 1 },
      { name: 'two\r\nlines', n: null },
    ]
    const made = (format: 'csv' | 'json' | 'jsonl', byteOrderMark = false): string => {
      const exporter = exporterOf(format, columns as never, { byteOrderMark })
      return exporter.begin() + exporter.rows(rows.slice(0, 1)) + exporter.rows(rows.slice(1)) + exporter.end()
    }
    expect(made('csv')).toBe('name,n\r\n"a ""b"", c",1\r\n"two\r\nlines",\r\n')
    expect(made('csv', true).codePointAt(0)).toBe(0xfeff)
    expect(JSON.parse(made('json', true))).toEqual(rows)
    expect(
      made('jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows)
    const none = exporterOf('json', columns as never, { byteOrderMark: false })
    expect(JSON.parse(none.begin() + none.end())).toEqual([])
  })
})

describe('a bulk action', () => {
  const targets = Array.from({ length: 50 }, (_, index) => index)
  const never = new AbortController().signal

  test('continues after errors, a few at a time, and reports the failures', async () => {
    let together = 0
    let max = 0
    const seen: number[] = []
    const result = await runBulk(
      targets,
      async (target) => {
        max = Math.max(max, ++together)
        await new Promise((resolve) => setImmediate(resolve))
        together -= 1
        seen.push(target)
        if (target % 10 === 3) throw new Error(`not ${target}`)
      },
      { signal: never, onProgress: () => undefined },
    )
    expect(seen.toSorted((a, b) => a - b)).toEqual(targets)
    expect(max).toBe(bulkConcurrency)
    expect(result.done).toBe(45)
    expect(result.failures.map(({ target }) => target).toSorted((a, b) => a - b)).toEqual([3, 13, 23, 33, 43])
  })

  test('waits and retries when the service asks for it', async () => {
    let refused = 0
    const result = await runBulk(
      [1],
      async () => {
        refused += 1
        if (refused < 3) throw new WaypostError('busy', { type: 'rate_limit_error', status: 429, retryAfter: 0.001 })
      },
      { signal: never, onProgress: () => undefined },
    )
    expect([refused, result.done]).toEqual([3, 1])
  })

  test('ends when it is stopped, and reports running calls', async () => {
    const stopping = new AbortController()
    let begun = 0
    const result = await runBulk(
      targets,
      async () => {
        begun += 1
        if (begun === 10) stopping.abort()
      },
      { signal: stopping.signal, onProgress: () => undefined },
    )
    expect(begun).toBeLessThan(15)
    expect(result.done).toBe(begun)
  })
})

test('a page is filled from calls that find few or no rows', async () => {
  const answers: Record<string, { data: number[]; nextCursor: string | undefined }> = {
    '': { data: [], nextCursor: 'a' },
    a: { data: [1, 2], nextCursor: 'b' },
    b: { data: [3], nextCursor: 'c' },
    c: { data: [4, 5], nextCursor: undefined },
  }
  const limits: number[] = []
  const read = async ({ page_token = '', limit }: { page_token?: string; limit: number }) => {
    limits.push(limit)
    const { data, nextCursor } = answers[page_token] ?? { data: [], nextCursor: undefined }
    return { data, nextCursor }
  }
  const signal = new AbortController().signal
  expect(await readRows(read, { at: '', size: 3 }, signal)).toEqual({ data: [1, 2, 3], nextCursor: 'c' })
  expect(limits).toEqual([3, 3, 1])
  expect(await readRows(read, { at: 'c', size: 3 }, signal)).toEqual({ data: [4, 5], nextCursor: undefined })
})

test("days of a range are in the viewer's time zone, both included", () => {
  const { since, before } = daysOf('2026-03-01', '2026-03-01')
  expect(new Date((since ?? 0) * 1000).getDate()).toBe(1)
  expect(new Date((before ?? 0) * 1000).getDate()).toBe(2)
  expect(daysOf('', 'nonsense')).toEqual({ since: undefined, before: undefined })
})

test('typed letters find the best matches first', () => {
  const names = ['Settings', 'Grants', 'API keys', 'Webhooks', 'events.create', 'events.createMany', 'adminGrants.list']
  const find = (typed: string) => fuzzyFind(typed, names, (name) => name)
  expect(find('grnt')[0]).toBe('Grants')
  expect(find('ak')[0]).toBe('API keys')
  expect(find('ev cr')[0]).toBe('events.create')
  expect(find('create events')[0]).toBe('events.create')
  expect(find('whk')[0]).toBe('Webhooks')
  expect(find('xyz')).toEqual([])
  expect(find('')).toHaveLength(names.length)
})
