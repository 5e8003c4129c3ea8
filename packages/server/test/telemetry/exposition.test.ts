import { Histogram } from '@waypost/platform/tally'
import { expect, test } from 'vitest'
import { expositionOf } from '../../src/telemetry/exposition.ts'
import { readScrape, valueIn } from './scrape.ts'

test('metrics have the format of Prometheus, with any text in a label', () => {
  const times = new Histogram([0.1, 1])
  for (const seconds of [0.05, 0.5, 0.7, 9]) times.observe(seconds)
  const text = expositionOf([
    {
      ...{ name: 'a_total', help: 'A\nline \\ more', type: 'counter', labels: ['what'] },
      values: { samples: [[['say "x"\n\\'], 3]] },
    },
    { name: 'b', help: 'B', type: 'gauge', labels: [], values: { samples: [[[], Number.NaN]] } },
    { name: 'c_seconds', help: 'C', type: 'histogram', labels: ['kind'], values: { histograms: [[['k'], times]] } },
  ])
  expect(text).toContain(
    '# HELP a_total A\\nline \\\\ more\n# TYPE a_total counter\na_total{what="say \\"x\\"\\n\\\\"} 3\n',
  )
  expect(text).toContain('\nb NaN\n')
  const families = readScrape(text)
  expect(families.get('c_seconds')?.type).toBe('histogram')
  const bucket = (le: string) => valueIn(families, 'c_seconds_bucket', { kind: 'k', le })
  expect([bucket('0.1'), bucket('1'), bucket('+Inf')]).toEqual([1, 3, 4])
  expect(valueIn(families, 'c_seconds_count', { kind: 'k' })).toBe(4)
  expect(valueIn(families, 'c_seconds_sum', { kind: 'k' })).toBeCloseTo(10.25)
})
