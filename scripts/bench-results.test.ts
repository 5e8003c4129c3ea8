import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rowOf } from '../bench/figures.ts'
import { replaceTable } from '../bench/results.ts'

describe('a figure of a benchmark', () => {
  test('is judged by its ratio where there is a floor', () => {
    const row = rowOf('one grant', { store: 'SQLite', figure: 100, floor: 50, ratio: 0.5, unit: 'µs', aim: '>= 0.50' })
    expect(row).toMatchObject({ ratio: 0.5, met: true })
    expect(rowOf('page', { figure: 126, floor: 100, unit: 'ms', aim: '<= 1.25' })).toMatchObject({
      ratio: 1.26,
      met: false,
    })
  })
  test('is judged by itself where there is none', () => {
    expect(rowOf('fresh', { figure: 110, unit: 'MB', aim: '<= 110' })).toMatchObject({ ratio: null, met: true })
    const beside = rowOf('fresh', { figure: 120, floor: 60, unit: 'MB', aim: '<= 110', isAbsolute: true })
    expect(beside).toMatchObject({ ratio: 2, met: false })
    expect(rowOf('fresh', { figure: 110.1, unit: 'MB', aim: '<= 110' })).toMatchObject({ met: false })
  })
  test('without an aim is not judged, and an aim that is none is refused', () => {
    expect(rowOf('fresh', { figure: 110, unit: 'MB' })).toMatchObject({ met: null })
    expect(() => rowOf('fresh', { figure: 110, unit: 'MB', aim: 'small' })).toThrow('no aim')
    expect(() => rowOf('fresh', { figure: 110, unit: 'MB', aim: '>= ' })).toThrow('no aim')
  })
})

describe('docs/performance.md', () => {
  const document = readFileSync(new URL('../docs/performance.md', import.meta.url), 'utf8')
  test('has the figures of the last run, and can take those of the next', () => {
    const rows = [rowOf('a | b', { figure: 2, floor: 1, unit: 'ms', aim: '<= 1.25' })]
    const machine = { date: '2026-01-01', node: 'v26.0.0', processors: 2, memoryGb: 24 }
    const first = replaceTable(document, {
      ...machine,
      benchmarks: { http: { date: '2026-01-01', quick: true, load: 1, rows } },
    })
    expect(first).toContain('| a \\| b |  | 2 ms | 1 | 2 | <= 1.25 | **no** |')
    expect(first).toContain('`npm run bench -- --quick`')
    const results = JSON.parse(readFileSync(new URL('../bench/results.json', import.meta.url), 'utf8'))
    expect(replaceTable(first, results)).toBe(document)
  })
})
