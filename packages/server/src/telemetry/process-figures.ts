/**
 * Figures of the process, under the metric names that dashboards for Node expect. All are read at each scrape, except
 * the duration of garbage collections and the delay of the event loop. The delay is sampled four times a second: at
 * the usual hundred times, an idle process would wake only for that.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import { Histograms, type Sample } from '@waypost/platform/tally'
import type { Family } from './exposition.ts'

const lagSampleMs = 250
const gcBounds = [0.001, 0.01, 0.1, 1, 2, 5]
const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

/** Most figures are gauges. */
type Described = readonly [name: string, help: string, read: () => Iterable<Sample>, type?: 'counter']

const one = (value: number): Sample[] => [[[], value]]

/** Counts equal words. */
const counted = (words: readonly string[]): Sample[] =>
  Array.from(
    Map.groupBy(words, (word) => word),
    ([word, all]) => [[word], all.length],
  )

/** A line of a file in /proc; nothing on machines without it. */
function procFigure(file: string, form: RegExp, times = 1): () => Sample[] {
  return () => {
    try {
      const found = form.exec(readFileSync(`/proc/self/${file}`, 'utf8'))?.[1]
      return found === undefined ? [] : one(Number(found) * times)
    } catch {
      return []
    }
  }
}

function openFiles(): Sample[] {
  try {
    return one(readdirSync('/proc/self/fd').length - 1)
  } catch {
    return []
  }
}

const startedAt = Math.floor(performance.timeOrigin / 1000)

const cpu = (): NodeJS.CpuUsage => process.cpuUsage()
const memory =
  (of: keyof NodeJS.MemoryUsage): (() => Sample[]) =>
  () =>
    one(process.memoryUsage()[of])

/** Processor time, memory and files of the process. */
const ofProcess: readonly Described[] = [
  ['process_cpu_user_seconds_total', 'Total user CPU time spent in seconds.', () => one(cpu().user / 1e6), 'counter'],
  [
    'process_cpu_system_seconds_total',
    'Total system CPU time spent in seconds.',
    () => one(cpu().system / 1e6),
    'counter',
  ],
  [
    'process_cpu_seconds_total',
    'Total user and system CPU time spent in seconds.',
    () => one(cpu().user / 1e6 + cpu().system / 1e6),
    'counter',
  ],
  ['process_start_time_seconds', 'Start time of the process since unix epoch in seconds.', () => one(startedAt)],
  ['process_resident_memory_bytes', 'Resident memory size in bytes.', () => one(process.memoryUsage.rss())],
  ['process_virtual_memory_bytes', 'Virtual memory size in bytes.', procFigure('status', /VmSize:\s+(\d+)/, 1024)],
  ['process_heap_bytes', 'Process heap size in bytes.', procFigure('status', /VmData:\s+(\d+)/, 1024)],
  ['process_open_fds', 'Number of open file descriptors.', openFiles],
  ['process_max_fds', 'Maximum number of open file descriptors.', procFigure('limits', /Max open files\s+(\d+)/)],
]

/** The heap of Node and its event loop. */
const ofNode: readonly Described[] = [
  [
    'nodejs_active_resources_total',
    'Total number of active resources.',
    () => one(process.getActiveResourcesInfo().length),
  ],
  ['nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', memory('heapTotal')],
  ['nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', memory('heapUsed')],
  ['nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', memory('external')],
]

const spaces = (of: 'space_size' | 'space_used_size' | 'space_available_size') => (): Sample[] =>
  getHeapSpaceStatistics().map((space) => [[space.space_name.replace(/_space$/, '')], space[of]])

const family = ([name, help, read, type]: Described, labels: readonly string[] = []): Family => ({
  name: `waypost_${name}`,
  help,
  type: type ?? 'gauge',
  labels,
  values: { samples: read() },
})

const spaceFields = { total: 'space_size', used: 'space_used_size', available: 'space_available_size' } as const

/** Figures with labels. */
const labelled: readonly (readonly [Described, labels: readonly string[]])[] = [
  [
    [
      'nodejs_active_resources',
      'Number of active resources that are currently keeping the event loop alive, grouped by async resource type.',
      () => counted(process.getActiveResourcesInfo()),
    ],
    ['type'],
  ],
  ...Object.entries(spaceFields).map(([word, of]): [Described, string[]] => [
    [`nodejs_heap_space_size_${word}_bytes`, `Process heap space size ${word} from Node.js in bytes.`, spaces(of)],
    ['space'],
  ]),
  [
    ['nodejs_version_info', 'Node.js version info.', () => [[versionLabels(), 1]]],
    ['version', 'major', 'minor', 'patch'],
  ],
]

function versionLabels(): string[] {
  const { version } = process
  return [version, ...version.slice(1).split('.')]
}

/** The delay of the event loop since the last scrape. */
function lagFamilies(): () => Family[] {
  const delays = monitorEventLoopDelay({ resolution: lagSampleMs })
  delays.enable()
  /** A sample is the time between two ticks; the part beyond the step is the delay. */
  const late = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, (nanoseconds - lagSampleMs * 1e6) / 1e9)
  const lag = (name: string, help: string, read: () => number): Described => [
    `nodejs_eventloop_lag_${name}_seconds`,
    help,
    () => one(read()),
  ]
  const figures: Described[] = [
    lag('min', 'The minimum recorded event loop delay.', () => late(delays.min)),
    lag('max', 'The maximum recorded event loop delay.', () => late(delays.max)),
    lag('mean', 'The mean of the recorded event loop delays.', () => late(delays.mean)),
    lag('stddev', 'The standard deviation of the recorded event loop delays.', () =>
      delays.count === 0 ? 0 : delays.stddev / 1e9,
    ),
    ...[50, 90, 99].map((part) =>
      lag(`p${part}`, `The ${part}th percentile of the recorded event loop delays.`, () =>
        late(delays.percentile(part)),
      ),
    ),
  ]
  return () => {
    const families = figures.map((each) => family(each))
    delays.reset()
    return families
  }
}

/** The current delay of the event loop. */
async function lagNow(): Promise<Family> {
  const requested = performance.now()
  await new Promise((resolve) => setImmediate(resolve))
  const late = (performance.now() - requested) / 1000
  return family(['nodejs_eventloop_lag_seconds', 'Lag of event loop in seconds.', () => one(late)])
}

function collections(): () => Family {
  const durations = new Histograms(gcBounds)
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as (PerformanceEntry & { detail: { kind: number } })[]) {
      durations.of(gcKinds[detail.kind] ?? 'other').observe(duration / 1000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => ({
    name: 'waypost_nodejs_gc_duration_seconds',
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    type: 'histogram',
    labels: ['kind'],
    values: { histograms: durations.entries() },
  })
}

/** Starts to observe the process; returns the function that reads its figures. */
export function followProcess(): () => Promise<Family[]> {
  const lags = lagFamilies()
  const gc = collections()
  return async () => [
    ...ofProcess.map((each) => family(each)),
    await lagNow(),
    ...lags(),
    ...ofNode.map((each) => family(each)),
    ...labelled.map(([each, labels]) => family(each, labels)),
    gc(),
  ]
}
