/**
 * The cost of availability: 20 participants over 30 days, and the slots of a booking page with 10 hosts over 30 days.
 * The floor only sorts and merges the same meetings. Both alternate in one run. Read only the ratio.
 *
 *   npm run bench:availability [-- --quick] [-- --json]
 */
import type { Configuration } from '@waypost/contract'
import { type AvailabilityRequest, findAvailability } from '@waypost/scheduling/availability'
import { findBookableSlots } from '@waypost/scheduling/configurations/bookable-slots'
import { planSlots } from '@waypost/scheduling/configurations/slot-plan'
import type { Interval } from '@waypost/scheduling/intervals'
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

const floorOf = (people: typeof participants) => () => people.map(({ busy }) => sortAndMerge(busy))
const methods = ['collective', 'max-fairness', 'max-availability'] as const
const requests = methods.map((availability_method): AvailabilityRequest => {
  const buffer = { before: 10, after: 10 }
  return { ...question, availability_rules: { availability_method, buffer } }
})

/** A booking page: half of the hosts have their own hours, the others the default ones. */
const hosts = participants.slice(0, 10)
const pages = methods.map((availability_method): Configuration => {
  const rules = {
    availability_method,
    buffer: { before: 10, after: 10 },
    default_open_hours: [{ days: [1, 2, 3, 4, 5], start: '9:00', end: '17:00' }],
    default_specific_time_availability: [{ date: '2026-06-12', start: '10:00', end: '12:00' }],
  }
  return {
    id: '0a4f3a6a-5c6f-4c3f-9f6f-e9e8d9a45b11',
    name: 'Page',
    slug: null,
    type: '',
    requires_session_auth: false,
    participants: hosts.map(({ email, open_hours }, i) => ({
      email,
      availability: { calendar_ids: ['primary'], open_hours: i % 2 === 0 ? open_hours : [] },
      booking: { calendar_id: 'primary' },
    })),
    availability: { duration_minutes: 30, interval_minutes: 15, availability_rules: rules },
    event_booking: { title: 'Meeting', timezone: 'Europe/Berlin' },
    scheduler: { min_booking_notice: 0, available_days_in_future: days },
    appearance: null,
    embed_origins: [],
  }
})

function findSlots(page: Configuration): number {
  const plan = planSlots(page, { now: start_time, window: { start: start_time, end: start_time + days * 86_400 } })
  if (!plan) throw new Error('the page offers nothing')
  const fetched = plan.hosts.map((host, i) => ({ host, busy: hosts[i].busy, lastBooked: hosts[i].lastBooked }))
  return findBookableSlots(plan, fetched).time_slots.length
}

/** The median times of some works and of their floor, in microseconds. All alternate. */
function compare(floor: () => unknown, works: readonly (() => unknown)[]): { figures: number[]; floor: number } {
  const floors: number[] = []
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    const cost = time(floor)
    const costs = works.map(time)
    // The first quarter is warm-up.
    if (round < rounds / 4) continue
    floors.push(cost)
    for (const [i, value] of costs.entries()) times[i].push(value)
  }
  return { figures: times.map((values) => median(values) * 1000), floor: median(floors) * 1000 }
}

const requested = compare(
  floorOf(participants),
  requests.map((request) => () => findAvailability(request)),
)
const paged = compare(
  floorOf(hosts),
  pages.map((page) => () => findSlots(page)),
)

report([
  ...methods.map((method, i) =>
    rowOf(`availability, ${method}: 20 participants, 30 days`, {
      figure: requested.figures[i],
      floor: requested.floor,
      unit: 'µs',
    }),
  ),
  ...methods.map((method, i) =>
    rowOf(`booking page, ${method}: 10 hosts, 30 days`, {
      figure: paged.figures[i],
      floor: paged.floor,
      unit: 'µs',
      aim: '<= 2.00',
    }),
  ),
])
