/**
 * The objects of an export: their place in the file, whether the service can store them at all, and those of v2, of which
 * only the fields named here are read.
 */
import { line } from '@waypost/contract'
import { isObject } from '@waypost/platform/json/values'
import { z } from 'zod'

const Text = z.string().nullish()
/** An empty zone or name counts as absent. */
const Word = z
  .string()
  .nullish()
  .transform((text) => text || null)
/** At most 512 bytes, so that it fits into a cursor. */
const ObjectId = line(512)
  .min(1)
  .refine((id) => id.trim() === id && id !== 'primary' && Buffer.byteLength(id) <= 512, {
    error: 'is not an id that can be kept',
  })
const Link = z.string().min(1).nullish()

const Organizer = z.union([z.string(), z.object({ name: Text, email: Text })]).nullish()

export const V2Account = z
  .object({
    id: Link,
    account_id: Link,
    email: Link,
    email_address: Link,
    name: Text,
    organizer: Organizer,
    provider: Text,
    metadata: z.unknown().optional(),
  })
  .transform(({ id, account_id, email, email_address, ...rest }, context) => {
    const own = { id: id ?? account_id, email: email ?? email_address }
    for (const name of ['id', 'email'] as const) {
      if (!own[name]) context.addIssue({ code: 'custom', path: [name], message: 'is required' })
    }
    return { ...rest, id: own.id ?? '', email: own.email ?? '' }
  })
export type V2Account = z.output<typeof V2Account>

export const V2Calendar = z.object({
  id: ObjectId,
  account_id: Link,
  name: z.string(),
  description: Text,
  location: Text,
  timezone: Word,
  hex_color: Text,
  is_primary: z.boolean().nullish(),
  metadata: z.unknown().optional(),
  updated_at: z.int().nullish(),
})
export type V2Calendar = z.output<typeof V2Calendar>

const V2When = z.object({
  time: z.int().nullish(),
  timezone: Word,
  start_time: z.int().nullish(),
  end_time: z.int().nullish(),
  start_timezone: Word,
  end_timezone: Word,
  date: Text,
  start_date: Text,
  end_date: Text,
})
export type V2When = z.output<typeof V2When>

const V2Participant = z.object({ email: Text, name: Text, comment: Text, phone_number: Text, status: Text })
export type V2Participant = z.output<typeof V2Participant>

const V2Recurrence = z.object({
  rrule: z.union([z.array(z.string()), z.string().transform((rule) => [rule])]).nullish(),
  timezone: Word,
})

export const V2Event = z.object({
  id: ObjectId,
  account_id: Link,
  calendar_id: z.string().min(1),
  title: Text,
  description: Text,
  location: Text,
  when: V2When,
  busy: z.boolean().nullish(),
  status: Text,
  visibility: Text,
  hide_participants: z.boolean().nullish(),
  participants: z.array(V2Participant).nullish(),
  capacity: z.int().nullish(),
  conferencing: z.unknown().optional(),
  recurrence: V2Recurrence.nullish(),
  master_event_id: Link,
  original_start_time: z.union([z.int(), z.string()]).nullish(),
  ical_uid: Word.refine((uid) => uid === null || Buffer.byteLength(uid) <= 1024, {
    error: 'is longer than 1024 bytes',
  }),
  organizer_email: Word,
  organizer_name: Word,
  reminders: z.unknown().optional(),
  metadata: z.unknown().optional(),
  updated_at: z.int().nullish(),
})
export type V2Event = z.output<typeof V2Event>

export type ParseResult<T> = { ok: true; value: T } | { ok: false; reason: string }

/** Parses a v2 object, or returns the reason why it is invalid. */
export function parseObject<T>(schema: z.ZodType<T>, value: unknown): ParseResult<T> {
  if (!isObject(value)) return { ok: false, reason: 'is not an object' }
  const flaw = flawOf(value)
  if (flaw !== undefined) return { ok: false, reason: flaw }
  const parsed = schema.safeParse(value)
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: issueOf(parsed.error, value) }
}

/** The first validation problem, with its field. */
export function issueOf(error: z.ZodError, value: Record<string, unknown>): string {
  const [issue] = error.issues
  if (!issue) return 'is not valid'
  const missing = issue.path.length === 1 && value[String(issue.path[0])] === undefined
  const field = issue.path.join('.')
  return `${field === '' ? '' : `${field}: `}${missing ? 'is required' : issue.message}`
}

/** Whether v2 has a value that is not migrated. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'object' && Object.values(value).every((member) => !isGiven(member)))

/** The id of an object that may otherwise be invalid. */
export const idOf = (value: unknown): string | null =>
  isObject(value) && typeof value.id === 'string' ? value.id : null

export interface Item {
  place: string
  value: unknown
}

export interface AccountItems {
  place: string
  account: unknown
  calendars: Item[]
  events: Item[]
  /** A problem with the account's lists. */
  problem?: string
  /**
   * False if the file lacks a part of the account or it cannot be read: missing objects then do not count as deleted.
   */
  whole: boolean
}

/** The whole file cannot be read: nothing was imported. */
export class ExportUnreadable extends Error {
  override readonly name = 'ExportUnreadable'
}

const deepest = 32

/** Why an object cannot be stored, or undefined. `JSON.parse` accepts all of this. */
function flawOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'holds a text with a NUL character'
    return value.isWellFormed() ? undefined : 'holds a text with half a surrogate pair'
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= deepest) return `is nested more than ${deepest} levels deep`
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') return 'holds a key that is not allowed'
    const flaw = flawOf(member, depth + 1)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const itemsOf = (list: unknown, place: string): Item[] =>
  Array.isArray(list) ? list.map((value: unknown, index) => ({ place: `${place}[${index}]`, value })) : []

/** Splits an account into its lists of calendars and events. */
export function accountItems(place: string, value: unknown): AccountItems {
  if (!isObject(value)) return { place, account: value, calendars: [], events: [], whole: false }
  const { calendars, events, ...account } = value
  const wrong = Object.entries({ calendars, events }).find(([, list]) => list !== undefined && !Array.isArray(list))
  return {
    place,
    account,
    calendars: itemsOf(calendars, `${place}.calendars`),
    events: itemsOf(events, `${place}.events`),
    whole: Array.isArray(calendars) && Array.isArray(events),
    ...(wrong ? { problem: `${wrong[0]}: must be a list` } : {}),
  }
}
