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

type Described = readonly [name: string, type: 'counter' | 'gauge', help: string, read: () => Iterable<Sample>]

const one = (value: number): Sample[] => [[[], value]]

/** Counts equal words. */
const counted = (words: readonly string[]): Sample[] =>
  Array.from(
    Map.groupBy(words, (word) => word),
    ([word, all]) => [[word], all.length],
  )

/** A line of a file in /proc; nothing on machines without it. */
function procFigure(file: string, form: RegExp, times = 1): Sample[] {
  try {
    const found = form.exec(readFileSync(file, 'utf8'))?.[1]
    return found === undefined ? [] : one(Number(found) * times)
  } catch {
    return []
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

/** Processor time, memory and files of the process. */
const ofProcess: readonly Described[] = [
  ['process_cpu_user_seconds_total', 'counter', 'Total user CPU time spent in seconds.', () => one(cpu().user)],
  ['process_cpu_system_seconds_total', 'counter', 'Total system CPU time spent in seconds.', () => one(cpu().system)],
  [
    'process_cpu_seconds_total',
    'counter',
    'Total user and system CPU time spent in seconds.',
    () => one(cpu().user + cpu().system),
  ],
  [
    'process_start_time_seconds',
    'gauge',
    'Start time of the process since unix epoch in seconds.',
    () => one(startedAt),
  ],
  ['process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', () => one(process.memoryUsage.rss())],
  [
    'process_virtual_memory_bytes',
    'gauge',
    'Virtual memory size in bytes.',
    () => procFigure('/proc/self/status', /VmSize:\s+(\d+)/, 1024),
  ],
  [
    'process_heap_bytes',
    'gauge',
    'Process heap size in bytes.',
    () => procFigure('/proc/self/status', /VmData:\s+(\d+)/, 1024),
  ],
  ['process_open_fds', 'gauge', 'Number of open file descriptors.', openFiles],
  [
    'process_max_fds',
    'gauge',
    'Maximum number of open file descriptors.',
    () => procFigure('/proc/self/limits', /Max open files\s+(\d+)/),
  ],
]

function cpu(): { user: number; system: number } {
  const { user, system } = process.cpuUsage()
  return { user: user / 1e6, system: system / 1e6 }
}

/** The heap of Node and its event loop. */
const ofNode: readonly Described[] = [
  [
    'nodejs_active_resources_total',
    'gauge',
    'Total number of active resources.',
    () => one(process.getActiveResourcesInfo().length),
  ],
  [
    'nodejs_heap_size_total_bytes',
    'gauge',
    'Process heap size from Node.js in bytes.',
    () => one(process.memoryUsage().heapTotal),
  ],
  [
    'nodejs_heap_size_used_bytes',
    'gauge',
    'Process heap size used from Node.js in bytes.',
    () => one(process.memoryUsage().heapUsed),
  ],
  [
    'nodejs_external_memory_bytes',
    'gauge',
    'Node.js external memory size in bytes.',
    () => one(process.memoryUsage().external),
  ],
]

const spaces = (of: 'space_size' | 'space_used_size' | 'space_available_size') => (): Sample[] =>
  getHeapSpaceStatistics().map((space) => [[space.space_name.replace(/_space$/, '')], space[of]])

const family = ([name, type, help, read]: Described, labels: readonly string[] = []): (() => Family) => {
  const described = { name: `waypost_${name}`, help, type, labels }
  return () => ({ ...described, values: { samples: read() } })
}

/** Figures with labels. */
const labelled: readonly (() => Family)[] = [
  family(
    [
      'nodejs_active_resources',
      'gauge',
      'Number of active resources that are currently keeping the event loop alive, grouped by async resource type.',
      () => counted(process.getActiveResourcesInfo()),
    ],
    ['type'],
  ),
  ...(
    [
      ['total', 'space_size'],
      ['used', 'space_used_size'],
      ['available', 'space_available_size'],
    ] as const
  ).map(([word, of]) =>
    family(
      [
        `nodejs_heap_space_size_${word}_bytes`,
        'gauge',
        `Process heap space size ${word} from Node.js in bytes.`,
        spaces(of),
      ],
      ['space'],
    ),
  ),
  family(
    ['nodejs_version_info', 'gauge', 'Node.js version info.', () => [[versionLabels(), 1]]],
    [...['version', 'major', 'minor', 'patch']],
  ),
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
  const percentile = (part: number): Described => [
    `nodejs_eventloop_lag_p${part}_seconds`,
    'gauge',
    `The ${part}th percentile of the recorded event loop delays.`,
    () => one(late(delays.percentile(part))),
  ]
  const figures: Described[] = [
    [
      'nodejs_eventloop_lag_min_seconds',
      'gauge',
      'The minimum recorded event loop delay.',
      () => one(late(delays.min)),
    ],
    [
      'nodejs_eventloop_lag_max_seconds',
      'gauge',
      'The maximum recorded event loop delay.',
      () => one(late(delays.max)),
    ],
    [
      'nodejs_eventloop_lag_mean_seconds',
      'gauge',
      'The mean of the recorded event loop delays.',
      () => one(late(delays.mean)),
    ],
    [
      'nodejs_eventloop_lag_stddev_seconds',
      'gauge',
      'The standard deviation of the recorded event loop delays.',
      () => one(delays.count === 0 ? 0 : delays.stddev / 1e9),
    ],
    ...[50, 90, 99].map(percentile),
  ]
  return () => {
    const families = figures.map((each) => family(each)())
    delays.reset()
    return families
  }
}

/** The current delay of the event loop. */
async function lagNow(): Promise<Family> {
  const requested = performance.now()
  await new Promise((resolve) => setImmediate(resolve))
  const late = (performance.now() - requested) / 1000
  return family(['nodejs_eventloop_lag_seconds', 'gauge', 'Lag of event loop in seconds.', () => one(late)])()
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
    ...ofProcess.map((each) => family(each)()),
    await lagNow(),
    ...lags(),
    ...ofNode.map((each) => family(each)()),
    ...labelled.map((read) => read()),
    gc(),
  ]
}
