/**
 * The figures of all processes as one page for Prometheus. A figure of a node is there once for each process, with the
 * label `process`, so that sums and histograms over processes work as they do over nodes. A figure of the
 * installation is the same in all of them, and is there once.
 */
import type { Sample } from '@waypost/platform/tally'
import type { Family } from '../telemetry/exposition.ts'
import { type Metrics, sampledFamily } from '../telemetry/metrics.ts'
import type { GatheredFigures, ProcessState, ReplaceReason } from './messages.ts'
import type { SupervisedProcess } from './supervised-process.ts'
import type { Supervision } from './supervision.ts'

/** A copy that can be sent to another process. */
export const plainFamily = ({ values, ...family }: Family): Family => ({
  ...family,
  values:
    'samples' in values
      ? { samples: Array.from(values.samples) }
      : {
          histograms: Array.from(values.histograms, ([labels, { bounds, counts, sum }]) => [
            labels,
            { bounds, counts, sum },
          ]),
        },
})

/** The same family with one more label. */
function withProcess({ labels, values, ...family }: Family, number: number): Family {
  const labelled = (given: readonly string[]): string[] => [...labels.map((_, at) => given[at] ?? ''), String(number)]
  return {
    ...family,
    labels: [...labels, 'process'],
    values:
      'samples' in values
        ? { samples: Array.from(values.samples, ([given, value]) => [labelled(given), value]) }
        : { histograms: Array.from(values.histograms, ([given, histogram]) => [labelled(given), histogram]) },
  }
}

/** One family of several processes. */
function joined(families: readonly Family[]): Family[] {
  const [first] = families
  if (!first) return []
  const samples = families.flatMap(({ values }) => ('samples' in values ? [...values.samples] : []))
  const histograms = families.flatMap(({ values }) => ('histograms' in values ? [...values.histograms] : []))
  return [{ ...first, values: 'samples' in first.values ? { samples } : { histograms } }]
}

/** The families of several processes, each family once. */
export function joinFamilies(processes: GatheredFigures['processes']): Family[] {
  const labelled = processes.flatMap(({ number, families }) => families.map((each) => withProcess(each, number)))
  return [...Map.groupBy(labelled, ({ name }) => name).values()].flatMap(joined)
}

/** What the supervisor itself has counted. */
function machineFamilies({ states, replaced, residentBytes }: GatheredFigures): Family[] {
  const samplesOf = (values: Record<string, number>): Sample[] =>
    Object.entries(values).map(([name, value]) => [[name], value])
  return [
    sampledFamily('waypost_processes', samplesOf(states)),
    sampledFamily('waypost_processes_replaced_total', samplesOf(replaced)),
    sampledFamily('waypost_supervisor_resident_memory_bytes', [[[], residentBytes]]),
  ]
}

/** The figures of all processes. If the supervisor does not answer, those of this one. */
export async function familiesOfAll(
  metrics: Pick<Metrics, 'families'>,
  { number, gather }: Pick<Supervision, 'number' | 'gather'>,
): Promise<Family[]> {
  const figures = await gather()
  const processes = figures?.processes ?? [{ number, families: await metrics.families('node') }]
  const ofInstallation = await metrics.families('installation')
  return [...joinFamilies(processes), ...(figures ? machineFamilies(figures) : []), ...ofInstallation]
}

/** When figures are collected for a process that was asked for `/metrics`, one that has not answered by then is left out. */
const gatherMs = 2_000

interface Gathering {
  /** Asks all ready processes, and sends the result to `asking`. */
  gather(requesting: SupervisedProcess, id: number): void
  /** A process has answered. */
  answered(from: SupervisedProcess, id: number, families: Family[]): void
  /** Counts a replaced process. */
  replaced(reason: ReplaceReason): void
}

interface FigureRound {
  figures: GatheredFigures
  missing: Set<SupervisedProcess>
  finish(): void
}

export function createGathering(processes: () => readonly SupervisedProcess[], waitMs = gatherMs): Gathering {
  const replaced: Record<ReplaceReason, number> = { crash: 0, hang: 0, reload: 0 }
  const underWay = new Map<number, FigureRound>()
  let last = 0
  return {
    gather(requesting, id) {
      const key = ++last
      const states: Record<ProcessState, number> = { starting: 0, ready: 0, draining: 0 }
      for (const { state } of processes()) states[state]++
      const requested = processes().filter(({ state }) => state === 'ready')
      const figures: GatheredFigures = {
        processes: [],
        states,
        replaced: { ...replaced },
        residentBytes: process.memoryUsage.rss(),
      }
      const finish = (): void => {
        if (!underWay.delete(key)) return
        clearTimeout(timer)
        figures.processes.sort((a, b) => a.number - b.number)
        requesting.send({ type: 'figures', id, figures })
      }
      const timer = setTimeout(finish, waitMs)
      underWay.set(key, { figures, missing: new Set(requested), finish })
      for (const each of requested) each.send({ type: 'read-figures', id: key })
      if (requested.length === 0) finish()
    },
    answered(from, id, families) {
      const gathered = underWay.get(id)
      if (!gathered?.missing.delete(from)) return
      gathered.figures.processes.push({ number: from.number, families })
      if (gathered.missing.size === 0) gathered.finish()
    },
    replaced: (reason) => void replaced[reason]++,
  }
}
