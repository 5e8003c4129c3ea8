/** Rows of an application's figures as a series over time, and by provider. */
import type { TrafficFigures } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { ApplicationFiguresRow } from '@waypost/store/tables/figures/installation-figures'
import { figureStepMs } from './application-counters.ts'
import { percentile, together } from './latency-histogram.ts'

type TrafficField = 'requests' | 'refused' | 'errors' | 'provider_errors'

const sum = (rows: readonly ApplicationFiguresRow[], field: TrafficField): number =>
  rows.reduce((total, row) => total + row[field], 0)

/** The start of a series over `hours`, and the length of its steps. */
export function trafficSteps(hours: number, now: number): { from: number; to: number; stepMs: number } {
  const stepMs = hours > 8 ? 3 * figureStepMs : figureStepMs
  const to = Math.floor(now / stepMs) * stepMs
  return { from: to - hours * 3_600_000 + stepMs, to, stepMs }
}

/** Figures of all nodes and providers, without gaps. */
export function trafficOf(
  rows: readonly ApplicationFiguresRow[],
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): TrafficFigures[] {
  const byStep = Map.groupBy(rows, ({ at }) => Math.floor(at / stepMs) * stepMs)
  return Array.from({ length: Math.round((to - from) / stepMs) + 1 }, (_, index) => {
    const at = from + index * stepMs
    const ofStep = byStep.get(at) ?? []
    const latencies = together(ofStep.map((row) => row.latencies))
    return {
      at: seconds(at),
      requests: sum(ofStep, 'requests'),
      refused: sum(ofStep, 'refused'),
      errors: sum(ofStep, 'errors'),
      provider_errors: sum(ofStep, 'provider_errors'),
      latency_p50_ms: percentile(latencies, 0.5),
      latency_p95_ms: percentile(latencies, 0.95),
    }
  })
}

export interface ProviderFigures {
  provider: string
  requests: number
  errors: number
}

/** The same by provider, the one with the most errors first. Requests that concern no account belong to none. */
export const byProvider = (rows: readonly ApplicationFiguresRow[]): ProviderFigures[] =>
  Array.from(
    Map.groupBy(
      rows.filter(({ provider }) => provider !== ''),
      ({ provider }) => provider,
    ),
    ([provider, all]) => ({ provider, requests: sum(all, 'requests'), errors: sum(all, 'provider_errors') }),
  ).sort((a, b) => b.errors - a.errors || b.requests - a.requests)

export const totalsOf = (rows: readonly ApplicationFiguresRow[]): { requests: number; errors: number } => ({
  requests: sum(rows, 'requests'),
  errors: sum(rows, 'errors'),
})
