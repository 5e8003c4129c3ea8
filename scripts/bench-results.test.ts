import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { replaceScale, replaceSizing } from '../bench/arithmetic.ts'
import { rowOf } from '../bench/figures.ts'
import { type Results, replaceTable } from '../bench/results.ts'

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

const textOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const results: Results = JSON.parse(textOf('bench/results.json'))

describe('docs/performance.md', () => {
  const document = textOf('docs/performance.md')
  test('has the figures of the last run, and can take those of the next', () => {
    const rows = [rowOf('a | b', { figure: 2, floor: 1, unit: 'ms', aim: '<= 1.25' })]
    const machine = { date: '2026-01-01', node: 'v26.0.0', processors: 2, memoryGb: 24 }
    const first = replaceTable(document, {
      ...machine,
      benchmarks: { http: { date: '2026-01-01', quick: true, load: 1, rows } },
    })
    expect(first).toContain('| a \\| b |  | 2 ms | 1 | 2 | <= 1.25 | **no** |')
    expect(first).toContain('`npm run bench -- --quick`')
    expect(replaceTable(first, results)).toBe(document)
  })
})

describe('what follows from the figures', () => {
  const withUnit = (what: string, figure: number): Results => ({
    ...results,
    benchmarks: {
      ...results.benchmarks,
      units: {
        ...{ date: '2026-01-01', quick: false, load: 0 },
        rows: (results.benchmarks.units?.rows ?? []).map((row) => (row.what === what ? { ...row, figure } : row)),
      },
    },
  })

  test('docs/scale.md is of the last run', () => {
    expect(replaceScale(textOf('docs/scale.md'), results)).toBe(textOf('docs/scale.md'))
  })
  test('docs/operations.md has the sizes of the last run', () => {
    expect(replaceSizing(textOf('docs/operations.md'), results)).toBe(textOf('docs/operations.md'))
  })
  test('a billion notifications a day at a millisecond each are 12 processors, and 46 at the peak', () => {
    const scale = replaceScale(textOf('docs/scale.md'), withUnit('it is told to one destination: the node', 1000))
    expect(scale).toContain('| Deliverers, 1 ms each | 12 processors | 46 processors |  |')
    expect(scale).toContain('`npm run bench:units`, 2026-01-01')
  })
  test('a figure that was not measured is not made up', () => {
    const none: Results = {
      ...results,
      benchmarks: { ...results.benchmarks, units: { ...withUnit('', 0).benchmarks.units, rows: [] } },
    } as Results
    expect(() => replaceScale(textOf('docs/scale.md'), none)).toThrow('units has no figure')
  })
})
