/**
 * Plans how an account of the file is stored: the rules of the migration, without access to the store. Pure
 * functions.
 *
 * An invalid calendar skips its account, because half an account is worse than none. An invalid event is skipped
 * alone; if an earlier import stored it, that version stays.
 */

import { CalendarDraft, limits } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { isObject } from '@waypost/platform/json/values'
import { type EventPlan, planEvents } from './event-plan.ts'
import { type Dropped, nothingDropped, type Remark } from './report.ts'
import {
  type AccountItems,
  idOf,
  isGiven,
  issueOf,
  type ParseResult,
  parseObject,
  V2Account,
  V2Calendar,
} from './v2-objects.ts'

export interface PlannedCalendar {
  id: string
  name: string
  description: string | null
  location: string | null
  timezone: string
  hexColor: string | null
  /** Whether it becomes the primary calendar, if the grant has none yet. */
  isPrimary: boolean
  sourceUpdatedAt: number | null
}

export interface AccountPlan extends EventPlan {
  id: string
  email: string
  place: string
  /** Stored on the grant: `name` and `organizer`. */
  metadata: Record<string, string>
  calendars: PlannedCalendar[]
  whole: boolean
  skipped: Remark[]
  altered: Remark[]
  dropped: Dropped
}

const maxCalendars = 10
/** Names of the provider of virtual accounts in v2 and v3. */
const virtualNames = new Set(['nylas', 'virtual', 'virtual-calendar'])

/** Plans an account, or returns the reason why it is skipped. */
export function planAccount(items: AccountItems): ParseResult<AccountPlan> {
  const account = parseObject(V2Account, items.account)
  if (!account.ok) return account
  if (items.problem !== undefined) return { ok: false, reason: items.problem }
  const { id, email, organizer, provider } = account.value
  if (provider && !virtualNames.has(provider.toLowerCase())) {
    return { ok: false, reason: `provider: ${provider} is no virtual account; let its user authenticate again` }
  }
  const notes = { skipped: [] as Remark[], altered: [] as Remark[], dropped: nothingDropped() }
  const calendars = planCalendars(items, account.value, notes)
  if (!calendars.ok) return calendars
  if (isGiven(account.value.metadata)) notes.dropped.metadata++
  const whole = items.whole && ![...items.calendars, ...items.events].some(({ value }) => idOf(value) === null)
  const events = planEvents(items.events, { account: { id, email, organizer }, calendars: calendars.value, ...notes })
  const metadata = metadataOf(account.value, items)
  if (!metadata.ok) return metadata
  const plan = { id, email, place: items.place, metadata: metadata.value, calendars: calendars.value, whole }
  return { ok: true, value: { ...plan, ...notes, ...events } }
}

type Notes = Pick<AccountPlan, 'skipped' | 'altered' | 'dropped'>

function planCalendars(items: AccountItems, account: V2Account, notes: Notes): ParseResult<PlannedCalendar[]> {
  const calendars = new Map<string, PlannedCalendar>()
  const marked = new Set<string>()
  for (const { place, value } of items.calendars) {
    const parsed = planCalendar(value, account.id)
    if (!parsed.ok) return { ok: false, reason: `${place}: calendar ${idOf(value) ?? ''}: ${parsed.reason}` }
    const { planned, source } = parsed.value
    if (calendars.has(planned.id)) {
      const reason = 'the account has a calendar with this id already'
      notes.skipped.push({ account: account.email, object: 'calendar', id: planned.id, place, reason })
      continue
    }
    if (isGiven(source.metadata)) notes.dropped.metadata++
    if (source.is_primary) marked.add(planned.id)
    calendars.set(planned.id, planned)
  }
  if (calendars.size > maxCalendars) {
    const reason = `has ${calendars.size} calendars; a virtual account has at most ${maxCalendars}`
    return { ok: false, reason }
  }
  const list = [...calendars.values()]
  const primary = list.find(({ id }) => marked.has(id)) ?? list[0]
  return { ok: true, value: list.map((one) => ({ ...one, isPrimary: one === primary })) }
}

function planCalendar(
  value: unknown,
  accountId: string,
): ParseResult<{ planned: PlannedCalendar; source: V2Calendar }> {
  const parsed = parseObject(V2Calendar, value)
  if (!parsed.ok) return parsed
  const source = parsed.value
  if (source.account_id && source.account_id !== accountId) {
    return { ok: false, reason: `account_id: is of another account (${source.account_id})` }
  }
  const { name, description = null, location = null } = source
  const draft = CalendarDraft.safeParse({ name, description, location })
  if (!draft.success) return { ok: false, reason: issueOf(draft.error, source) }
  const timezone = resolveTimeZone(source.timezone ?? 'UTC')
  if (timezone === undefined) return { ok: false, reason: `timezone: ${source.timezone} is not a time zone` }
  const planned: PlannedCalendar = {
    id: source.id,
    name,
    description,
    location,
    timezone,
    hexColor: /^#[0-9a-f]{6}$/i.test(source.hex_color ?? '') ? (source.hex_color ?? null) : null,
    isPrimary: false,
    sourceUpdatedAt: source.updated_at ?? null,
  }
  return { ok: true, value: { planned, source } }
}

const person = (name: unknown, email: unknown): string | undefined => {
  const words = [name, typeof email === 'string' && email && typeof name === 'string' && name ? `<${email}>` : email]
  return words.filter((word) => typeof word === 'string' && word !== '').join(' ') || undefined
}

/** The name and organizer: the account's own, or those of its first event that has them. */
function metadataOf(account: V2Account, items: AccountItems): ParseResult<Record<string, string>> {
  const { organizer } = account
  const own = typeof organizer === 'string' ? organizer : person(organizer?.name, organizer?.email)
  const metadata: Record<string, string> = {}
  if (account.name) metadata.name = account.name
  const found = own || organizerOfEvents(items)
  if (found) metadata.organizer = found
  const long = Object.keys(metadata).find((key) => (metadata[key] ?? '').length > limits.metadataValueLength)
  if (long) return { ok: false, reason: `${long}: is longer than ${limits.metadataValueLength} characters` }
  return { ok: true, value: metadata }
}

function organizerOfEvents({ events }: AccountItems): string | undefined {
  for (const { value } of events) {
    const found = isObject(value) ? person(value.organizer_name, value.organizer_email) : undefined
    if (found?.isWellFormed() && !found.includes('\0')) return found
  }
  return undefined
}
