/**
 * A second implementation of availability, as slow and literal as the text of the contract: every start time by
 * counting, every five minutes of the window compared with the local clock, every meeting compared with every block. It
 * shares no code with the module.
 */
import type { AvailabilityRequest, FetchedParticipant } from '../src/availability.ts'

const atom = 300

const minutes = (text: string): number => {
  const [hours, rest] = text.split(':').map(Number)
  return hours * 60 + rest
}

interface Shown {
  at: number
  date: string
  weekday: number
  minute: number
}
const clocks = new Map<string, readonly Shown[]>()

/** The local time, in steps of five minutes. */
function localClock({ start_time, end_time }: AvailabilityRequest, timezone: string): readonly Shown[] {
  const day = start_time - (start_time % 86_400)
  const known = clocks.get(`${timezone} ${day}`) ?? readClock({ start_time: day, end_time: day + 3 * 86_400 }, timezone)
  clocks.set(`${timezone} ${day}`, known)
  if (end_time > day + 3 * 86_400) throw new Error('a window of more than two days')
  return known
}

function readClock(request: { start_time: number; end_time: number }, timezone: string): readonly Shown[] {
  const shown: Shown[] = []
  for (let at = request.start_time - 172_800; at < request.end_time + 172_800; at += atom) {
    const local = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(timezone)
    shown.push({
      at,
      date: local.toPlainDate().toString(),
      weekday: local.dayOfWeek % 7,
      minute: local.hour * 60 + local.minute,
    })
  }
  return shown
}

/** The five-minute pieces that are open: of each rule and date, everything from the first to the last that matches. */
function openPieces(request: AvailabilityRequest, participant: FetchedParticipant): Set<number> {
  const specific = participant.specific_time_availability ?? []
  const own = participant.open_hours ?? []
  const rules = own.length > 0 ? own : (request.availability_rules?.default_open_hours ?? [])
  const open = new Set<number>()
  const openBetween = (pieces: readonly { at: number }[]): void => {
    const first = pieces[0]?.at ?? 0
    const last = pieces.at(-1)?.at ?? -1
    for (let at = first; at <= last; at += atom) open.add(at)
  }
  if (participant.only_specific_time_availability !== true) {
    if (rules.length === 0) {
      for (let at = request.start_time; at < request.end_time; at += atom) open.add(at)
      for (const { date, timezone } of specific)
        for (const piece of localClock(request, timezone)) if (piece.date === date) open.delete(piece.at)
    }
    for (const rule of rules) {
      const matching = localClock(request, rule.timezone).filter(
        ({ date, weekday, minute }) =>
          rule.days.includes(weekday) &&
          !rule.exdates?.includes(date) &&
          !specific.some((time) => time.date === date) &&
          minute >= minutes(rule.start) &&
          minute < minutes(rule.end),
      )
      for (const pieces of Object.values(Object.groupBy(matching, ({ date }) => date))) openBetween(pieces ?? [])
    }
  }
  for (const time of specific) {
    const matching = localClock(request, time.timezone).filter(
      ({ date, minute }) => date === time.date && minute >= minutes(time.start) && minute < minutes(time.end),
    )
    openBetween(matching)
  }
  return open
}

/** Whether a person can be booked from `start` to `end`, checked piece by piece and block by block. */
function freeTest(request: AvailabilityRequest, participant: FetchedParticipant) {
  const open = openPieces(request, participant)
  const before = (request.availability_rules?.buffer?.before ?? 0) * 60
  const after = (request.availability_rules?.buffer?.after ?? 0) * 60
  return (start: number, end: number): boolean => {
    for (let at = start; at < end; at += atom) if (!open.has(at)) return false
    return participant.busy.every((block) => {
      const from = block.start - before
      const to = block.end + after
      return from >= to || end <= from || start >= to
    })
  }
}

/** For every start time, the free participants, in the order of the request. */
export function naiveSlots(request: AvailabilityRequest): { start_time: number; free: string[] }[] {
  const round = (request.round_to ?? 15) * 60
  const step = (request.interval_minutes ?? request.duration_minutes) * 60
  const duration = request.duration_minutes * 60
  const times: number[] = []
  for (let k = 0; request.start_time + k * step <= request.end_time; k += 1) {
    let time = request.start_time + k * step
    while (time % round !== 0) time += 1
    if (time + duration <= request.end_time && !times.includes(time)) times.push(time)
  }
  const tests = request.participants.map((person) => ({ email: person.email, isFree: freeTest(request, person) }))
  return times.map((start_time) => ({
    start_time,
    free: tests.filter(({ isFree }) => isFree(start_time, start_time + duration)).map(({ email }) => email),
  }))
}
