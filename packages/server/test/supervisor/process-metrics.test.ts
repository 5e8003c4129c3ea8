import { Histogram } from '@waypost/platform/tally'
import { expect, test } from 'vitest'
import { familiesOfAll, joinFamilies, plainFamily } from '../../src/supervisor/process-metrics.ts'
import { expositionOf, type Family } from '../../src/telemetry/exposition.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const requests = (value: number): Family => ({
  ...{ name: 'waypost_http_requests_total', help: 'Requests', type: 'counter', labels: ['route'] },
  values: { samples: [[['grants.list'], value]] },
})

function durations(...seconds: number[]): Family {
  const histogram = new Histogram([1])
  for (const each of seconds) histogram.observe(each)
  return plainFamily({
    ...{ name: 'waypost_http_request_seconds', help: 'Time', type: 'histogram', labels: [] },
    values: { histograms: [[[''], histogram]] },
  })
}

test('a figure of a node appears once for each process, under one head', () => {
  const text = expositionOf(
    joinFamilies([
      { number: 1, families: [requests(3)] },
      { number: 2, families: [requests(4)] },
    ]),
  )
  expect(text.match(/^# TYPE/gm)).toHaveLength(1)
  expect(text).toContain('waypost_http_requests_total{route="grants.list",process="1"} 3')
  expect(text).toContain('waypost_http_requests_total{route="grants.list",process="2"} 4')
})

test('histograms keep their buckets, so that they can be summed over processes', () => {
  const text = expositionOf(
    joinFamilies([
      { number: 1, families: [durations(0.5, 2)] },
      { number: 2, families: [durations(0.5)] },
    ]),
  )
  expect(text).toContain('waypost_http_request_seconds_bucket{process="1",le="1"} 1')
  expect(text).toContain('waypost_http_request_seconds_bucket{process="1",le="+Inf"} 2')
  expect(text).toContain('waypost_http_request_seconds_count{process="2"} 1')
})

test('a figure of the installation appears once, and so do the figures of the supervisor', async () => {
  const metrics = createMetrics()
  metrics.read('waypost_outbox_jobs', () => [[[], 5]])
  const families = await familiesOfAll(metrics, {
    number: 1,
    gather: async () => ({
      processes: [{ number: 1, families: [requests(1)] }],
      states: { starting: 0, ready: 2, draining: 0 },
      replaced: { crash: 1, hang: 0, reload: 0 },
      residentBytes: 1_000,
    }),
  })
  const text = expositionOf(families)
  expect(text).toContain('\nwaypost_outbox_jobs 5\n')
  expect(text).toContain('waypost_processes{state="ready"} 2')
  expect(text).toContain('waypost_processes_replaced_total{reason="crash"} 1')
})

test('without an answer of the supervisor, a process reports its own figures', async () => {
  const metrics = createMetrics()
  metrics.answered('grants.list', 200, 1)
  const text = expositionOf(await familiesOfAll(metrics, { number: 3, gather: async () => undefined }))
  expect(text).toContain('waypost_http_requests_total{route="grants.list",status="200",process="3"} 1')
})
