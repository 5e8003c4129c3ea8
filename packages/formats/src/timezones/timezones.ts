/**
 * Time zones as integer arithmetic. A Temporal query costs 1–2 µs, which is too slow in a loop over occurrences. So
 * the offset changes of a zone are read once into a table, which is then searched.
 *
 * A zone has two tables. `near` contains every change up to 2100. After that, the rules repeat with the Gregorian
 * cycle of 400 years (a whole number of weeks). So `far` contains one cycle, and later times are mapped into it.
 *
 * A wall time is in seconds on a clock without a zone (see dates.ts); an instant is in Unix seconds.
 */
import { dayOf, FIRST_DAY, SECONDS_PER_DAY } from './dates.ts'
import { windowsZones } from './windows-names.ts'

export interface ResolvedWall {
  /** In a gap, calculated with the offset before the gap, so later by its length. In an overlap, the first pass. */
  readonly instant: number
  readonly kind: 'unique' | 'gap' | 'overlap'
}

/** `offsets[i]` is valid from `changes[i]` until `changes[i + 1]`. */
interface OffsetTable {
  readonly changes: readonly number[]
  readonly offsets: readonly number[]
}

const YEAR = 366 * SECONDS_PER_DAY
/** 2100-01-01T00:00:00Z. */
const FOLD = 4_102_444_800
const CYCLE = 146_097 * SECONDS_PER_DAY
/** No zone has ever had a larger offset (Asia/Manila until 1844: −15:56:08). */
const WIDEST_OFFSET = 16 * 3600

const windowsZonesByLowerCase = new Map(
  Object.entries(windowsZones).map(([windows, iana]) => [windows.toLowerCase(), iana]),
)
/** Cache by lower-case name. Only valid names are cached, so that untrusted input cannot fill it. */
const resolved = new Map<string, string>()
const nearTables = new Map<string, OffsetTable>()
const farTables = new Map<string, OffsetTable>()
const foreignTables = new Map<string, OffsetTable>()
const FOREIGN_MAX = 200

/**
 * The IANA id of a zone with an IANA name (links keep their name) or a Windows name, in any case; undefined if
 * unknown.
 */
export function resolveTimeZone(name: string): string | undefined {
  const key = name.trim().toLowerCase()
  const known = resolved.get(key)
  if (known !== undefined) return known
  const id = ianaZone(key) ?? windowsZonesByLowerCase.get(key)
  if (id !== undefined) resolved.set(key, id)
  return id
}

function ianaZone(name: string): string | undefined {
  // Temporal accepts "+05:30" as a zone, but it has no name that a provider would accept.
  if (!/^[a-z][\w+/-]{0,63}$/.test(name)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

/** A zone for calculations. */
export interface ReadZone {
  /** An IANA id, or custom rules (`rulesZone`). */
  readonly id: string
  /** The IANA id, or null if the zone has none. */
  readonly name: string | null
}

/** From this instant on, the zone is `offset` seconds east of UTC. */
export interface ZoneChange {
  readonly at: number
  readonly offset: number
}

const RULES = 'rules:'

/** The id of a zone outside the database: its changes, ascending. The first applies to all time before the second. */
export const rulesZone = (changes: readonly ZoneChange[]): string =>
  `${RULES}${changes.map(({ at, offset }, index) => (index === 0 ? offset : `${at} ${offset}`)).join()}`

export const isRulesZone = (zone: string): boolean => zone.startsWith(RULES)

function rulesTable(zone: string): OffsetTable {
  const entries = zone
    .slice(RULES.length)
    .split(',')
    .map((entry) => entry.split(' ').map(Number))
  const changes = entries.map(([at = 0], index) => (index === 0 ? Number.NEGATIVE_INFINITY : at))
  return { changes, offsets: entries.map((entry) => entry.at(-1) ?? 0) }
}

/** The offset changes of a zone in a range. The first entry applies to all earlier time. */
export function zoneOffsetChanges(zone: string, range: { from: number; to: number }): ZoneChange[] {
  const { changes, offsets } = readTable(zone, range)
  return changes.map((at, index) => ({ at, offset: offsets[index] ?? 0 }))
}

/** Whether two zones have the same local time throughout a range. */
export function haveSameClock(a: string, b: string, range: { from: number; to: number }): boolean {
  if (a === b) return true
  const [ours, theirs] = [clockBetween(a, range), clockBetween(b, range)]
  return ours.length === theirs.length && ours.every((value, index) => value === theirs[index])
}

/** The offset of a zone at an instant, then each change until another instant with the offset after it. */
function clockBetween(zone: string, { from, to }: { from: number; to: number }): number[] {
  const table = tableFor(zone, from)
  const start = fold(from)
  const first = segmentAt(table, start)
  const clock = [table.offsets[first] ?? 0]
  for (let i = first + 1; startOf(table, i) < start + to - from; i++) {
    clock.push(startOf(table, i), table.offsets[i] ?? 0)
  }
  return clock
}

/** Seconds to add to UTC at the instant. */
export function zoneOffset(zone: string, instant: number): number {
  const table = tableFor(zone, instant)
  return table.offsets[segmentAt(table, fold(instant))] ?? 0
}

/** The local time at an instant. */
export const instantToWall = (zone: string, instant: number): number => instant + zoneOffset(zone, instant)

/** The instant of a local time, and whether there is exactly one. */
export function wallToInstant(zone: string, wall: number): ResolvedWall {
  const first = instantSkippingGap(zone, wall)
  if (first === undefined) return { instant: instantBeforeGap(zone, wall), kind: 'gap' }
  return { instant: first, kind: lastPass(zone, wall) === first ? 'unique' : 'overlap' }
}

/** For occurrences (RFC 5545 §3.3.10): undefined in a gap, the first pass in an overlap. */
export function instantSkippingGap(zone: string, wall: number): number | undefined {
  const table = tableFor(zone, wall)
  const folded = fold(wall)
  for (let i = segmentAt(table, folded - WIDEST_OFFSET); startOf(table, i) <= folded + WIDEST_OFFSET; i++) {
    if (holds(table, i, folded)) return wall - (table.offsets[i] ?? 0)
  }
  return undefined
}

/** For the beginning of a period: a gap moves it forward by the gap's length, an overlap selects the first pass. */
export const openingInstant = (zone: string, wall: number): number =>
  instantSkippingGap(zone, wall) ?? instantBeforeGap(zone, wall)

/** For the end of a period: a gap moves it forward by the gap's length, an overlap selects the second pass. */
export const closingInstant = (zone: string, wall: number): number =>
  lastPass(zone, wall) ?? instantBeforeGap(zone, wall)

/** The first instant of a local date. A date that the zone skipped begins and ends where the next one begins. */
export const dayStart = (zone: string, date: string): number => dayStartOf(zone, dayOf(date))

/** `dayStart` by day number. */
export function dayStartOf(zone: string, day: number): number {
  const wall = day * SECONDS_PER_DAY
  const first = instantSkippingGap(zone, wall)
  if (first !== undefined) return first
  const table = tableFor(zone, wall)
  const folded = fold(wall)
  return startOf(table, gapEnd(table, folded)) + (wall - folded)
}

function lastPass(zone: string, wall: number): number | undefined {
  const table = tableFor(zone, wall)
  const folded = fold(wall)
  let found: number | undefined
  for (let i = segmentAt(table, folded - WIDEST_OFFSET); startOf(table, i) <= folded + WIDEST_OFFSET; i++) {
    if (holds(table, i, folded)) found = wall - (table.offsets[i] ?? 0)
  }
  return found
}

function instantBeforeGap(zone: string, wall: number): number {
  const table = tableFor(zone, wall)
  return wall - (table.offsets[gapEnd(table, fold(wall)) - 1] ?? 0)
}

/** The segment that begins at the end of the gap that contains the wall time. */
function gapEnd(table: OffsetTable, wall: number): number {
  let i = segmentAt(table, wall - WIDEST_OFFSET)
  while (startOf(table, i) + (table.offsets[i] ?? 0) <= wall) i++
  return i
}

const startOf = (table: OffsetTable, segment: number): number => table.changes[segment] ?? Number.POSITIVE_INFINITY

function holds(table: OffsetTable, segment: number, wall: number): boolean {
  const instant = wall - (table.offsets[segment] ?? 0)
  return instant >= startOf(table, segment) && instant < startOf(table, segment + 1)
}

/** The last segment that begins at or before the instant. */
function segmentAt({ changes }: OffsetTable, instant: number): number {
  let low = 0
  let high = changes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((changes[middle] ?? 0) <= instant) low = middle
    else high = middle - 1
  }
  return low
}

const fold = (time: number): number => (time < FOLD ? time : FOLD + ((time - FOLD) % CYCLE))

function tableFor(zone: string, time: number): OffsetTable {
  if (zone.startsWith(RULES)) return remembered(foreignTables, zone, { from: 0, to: 0 })
  return time < FOLD
    ? remembered(nearTables, zone, { from: FIRST_DAY * SECONDS_PER_DAY - YEAR, to: FOLD + YEAR })
    : remembered(farTables, zone, { from: FOLD - YEAR, to: FOLD + CYCLE + YEAR })
}

function remembered(tables: Map<string, OffsetTable>, zone: string, range: { from: number; to: number }): OffsetTable {
  const known = tables.get(zone)
  if (known !== undefined) return known
  // The database has some hundreds of zones; the number of custom zones is unlimited.
  if (tables === foreignTables && tables.size >= FOREIGN_MAX) tables.clear()
  const table = zone.startsWith(RULES) ? rulesTable(zone) : readTable(zone, range)
  tables.set(zone, table)
  return table
}

function readTable(zone: string, { from, to }: { from: number; to: number }): OffsetTable {
  const changes = [Number.NEGATIVE_INFINITY]
  let moment: Temporal.ZonedDateTime | null = new Temporal.ZonedDateTime(BigInt(from) * 1_000_000_000n, zone)
  const offsets = [moment.offsetNanoseconds / 1e9]
  while (true) {
    moment = moment.getTimeZoneTransition('next')
    if (moment === null || moment.epochMilliseconds > to * 1000) return { changes, offsets }
    const offset: number = moment.offsetNanoseconds / 1e9
    // The transition changes only the name or the legal basis.
    if (offset === offsets.at(-1)) continue
    changes.push(moment.epochMilliseconds / 1000)
    offsets.push(offset)
  }
}
