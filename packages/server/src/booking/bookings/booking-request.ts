/** What a guest asks for, checked against the configuration. */
import { createContext, Script } from 'node:vm'
import type { AdditionalField, BookingDraft, Configuration } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { invalidField, invalidFields } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { wholePattern } from '@waypost/scheduling/configurations/check-parts'
import type { GuestDetails } from './bookings.ts'
import type { ChosenGroupEvent } from './cast.ts'

/** Seconds as clients send them; the end follows the start. */
export function checkTimes({ start_time, end_time }: { start_time: number; end_time: number }): void {
  if (end_time <= start_time) throw invalidField('end_time', 'must be after start_time')
}

/** The guest's zone, from the body or the query. */
export function zoneOf(given: string | null | undefined): string | undefined {
  if (!given) return undefined
  const zone = resolveTimeZone(given)
  if (zone === undefined) throw invalidField('timezone', 'must be an IANA time zone, such as Europe/Berlin')
  return zone
}

/** The guest's part of a booking, checked against the configuration. */
export function detailsOf(
  configuration: Configuration,
  body: BookingDraft,
  timezone: string | undefined,
): GuestDetails {
  const own = emailKey(body.guest.email)
  const others = (body.additional_guests ?? []).filter(({ email }) => emailKey(email) !== own)
  if (others.length > 0 && configuration.scheduler.hide_additional_guests) {
    throw invalidField('additional_guests', 'are not allowed on this booking page')
  }
  return {
    guest: body.guest,
    additionalGuests: others.map(({ email, name }) => ({ email, name: name ?? '' })),
    additionalFields: readAnswers(configuration, body.additional_fields ?? {}),
    timezone: zoneOf(body.timezone ?? timezone) ?? (configuration.event_booking.timezone || 'UTC'),
    emailLanguage: body.email_language ?? 'en',
  }
}

/** The group event that a guest chose; undefined for other configurations. */
export function groupOf(
  { type }: Configuration,
  { event_id, calendar_id, master_id }: Pick<BookingDraft, 'event_id' | 'calendar_id' | 'master_id'>,
): ChosenGroupEvent | undefined {
  if (type !== 'group') return undefined
  if (!event_id) throw invalidField('event_id', 'is required: the group event to join, as availability returns it')
  if (!calendar_id) throw invalidField('calendar_id', 'is required: the calendar of the group event')
  return { calendarId: calendar_id, eventId: event_id, masterId: master_id ?? null }
}

/** The participants that a guest named. Those of a group event are its own. */
export const namedIn = ({ type }: Configuration, { participants }: Pick<BookingDraft, 'participants'>): string[] =>
  type === 'group' ? [] : (participants ?? []).map(({ email }) => email)

type Answer = string | number | boolean | null

/** Processor time for all patterns of a request. V8 interrupts a regular expression that takes longer. */
const patternsMs = 50

/** On a busy machine the thread may wait longer for a processor than a pattern takes. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Whether a whole value matches a pattern. */
type Match = (pattern: string, value: string) => boolean

/**
 * Matches the patterns of one request. A pattern is written by the application and the value by a stranger, so slow
 * matches are stopped. A value whose pattern was stopped, or had no time left, does not match.
 */
function createMatch(): Match {
  const end = processorMs() + patternsMs
  return (pattern, value) => {
    const context = createContext(Object.assign(Object.create(null), { source: wholePattern(pattern).source, value }))
    // V8 measures real time, so an interrupted match is repeated while processor time is left.
    for (let left = end - processorMs(); left > 0; left = end - processorMs()) {
      try {
        return new Script('new RegExp(source).test(value)').runInContext(context, { timeout: Math.ceil(left) })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
      }
    }
    return false
  }
}

const textOf = (answer: Answer | undefined): string =>
  answer === undefined || answer === null || answer === false ? '' : String(answer)

/** Whether every chosen option exists. Several options are joined with commas, and may contain commas themselves. */
function areOptions(value: string, options: readonly string[]): boolean {
  const text = `${value},`
  // The positions at which an option may begin. Each is looked at once, whatever the options share.
  const begins = new Set([0])
  for (const at of begins) {
    for (const option of options) {
      if (text.startsWith(`${option},`, at)) begins.add(at + option.length + 1)
    }
  }
  return begins.has(text.length)
}

const hasOptions = (type: string): boolean => type === 'dropdown' || type === 'radio_button'

/** What is wrong with an answer, if anything. */
function problemOf(field: AdditionalField, value: string, matches: Match): string | undefined {
  const type: string = field.type
  if (value === '') return field.required && type !== 'metadata' ? 'is required' : undefined
  const options = field.options ?? []
  if (hasOptions(type) && !options.includes(value)) return 'must be one of the options'
  if (type === 'multi_select' && !areOptions(value, options)) return 'must be options, joined with commas'
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return 'must be an email address'
  if (type === 'date' && !/^\d{4}-\d{2}-\d{2}/.test(value)) return 'must be a date such as 2026-11-15'
  if (type === 'phone_number' && !/^[+\d][\d\s().\-/]{2,31}$/.test(value)) return 'must be a telephone number'
  if (field.pattern && !matches(field.pattern, value)) return 'does not have the required form'
  return undefined
}

/** The answers of a guest as texts. Throws if one is missing, too many, or wrong. */
export function readAnswers(
  { scheduler }: Configuration,
  given: Readonly<Record<string, Answer>>,
): Record<string, string> {
  const fields = scheduler.additional_fields ?? {}
  const problems: Record<string, string> = {}
  const answers: Record<string, string> = {}
  const matches = createMatch()
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(fields, key)) problems[`additional_fields.${key}`] = 'is not a field of this booking page'
  }
  for (const [key, field] of Object.entries(fields)) {
    const value = textOf(Object.hasOwn(given, key) ? given[key] : undefined)
    const problem = problemOf(field, value, matches)
    if (problem) problems[`additional_fields.${key}`] = problem
    else if (value !== '') answers[key] = value
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return answers
}
