/**
 * The cost of availability: 20 participants over 30 days. The floor only sorts and merges the same meetings. Both
 * alternate in one run. Read only the ratio.
 *
 *   npm run bench:availability [-- --quick] [-- --json]
 */
import { type AvailabilityRequest, findAvailability } from '../packages/server/src/scheduling/availability.ts'
import type { Interval } from '../packages/server/src/scheduling/intervals.ts'
import { median, quick, report, rowOf } from './figures.ts'

const rounds = quick ? 80 : 400
const start_time = 1_780_272_000
const days = 30
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata']

/** A fixed sequence of numbers below 1, so that every run sends the same requests. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const next = sequence(7)

const participants = Array.from({ length: 20 }, (_, i) => ({
  email: `participant${i}@example.test`,
  lastBooked: i * 1000,
  busy: Array.from({ length: days * 8 }, (): Interval => {
    const start = start_time + Math.floor(next() * days * 288) * 300
    return { start, end: start + 1800 + Math.floor(next() * 6) * 900 }
  }),
  open_hours: [{ days: [1, 2, 3, 4, 5], timezone: zones[i % zones.length], start: '9:00', end: '17:00' }],
}))
const question = {
  start_time,
  end_time: start_time + days * 86_400,
  duration_minutes: 30,
  interval_minutes: 15,
  participants,
}

/** The floor: the minimum work on the meetings, in the simplest form. */
function sortAndMerge(busy: readonly Interval[]): Interval[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of busy.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

function time(work: () => unknown): number {
  const before = performance.now()
  work()
  return performance.now() - before
}

const floor = () => participants.map(({ busy }) => sortAndMerge(busy))
const methods = ['collective', 'max-fairness', 'max-availability'] as const
const requests = methods.map((availability_method): AvailabilityRequest => {
  const buffer = { before: 10, after: 10 }
  return { ...question, availability_rules: { availability_method, buffer } }
})

const floors: number[] = []
const times = methods.map((): number[] => [])
for (let round = 0; round < rounds; round += 1) {
  const cost = time(floor)
  const costs = requests.map((request) => time(() => findAvailability(request)))
  // The first quarter is warm-up.
  if (round < rounds / 4) continue
  floors.push(cost)
  for (const [i, value] of costs.entries()) times[i].push(value)
}

report(
  methods.map((method, i) =>
    rowOf(`availability, ${method}: 20 participants, 30 days`, {
      figure: median(times[i] ?? []) * 1000,
      floor: median(floors) * 1000,
      unit: 'µs',
    }),
  ),
)
