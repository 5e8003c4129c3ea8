/** Checks the parts of a configuration that guests see: reminders, links, questions. Pure. */
import type {
  AdditionalField,
  BookingHours,
  BookingReminder,
  Conferencing,
  ConfigurationDraft,
  SpecificTime,
} from '@waypost/contract'
import { parseDate } from '@waypost/formats/timezones/dates'
import { minutesOfDay } from '../local-time.ts'

const maxFields = 50
const maxFieldBytes = 65_536

export function checkReminders(at: string, reminders: readonly BookingReminder[] | null | undefined): Problems {
  const each = (reminders ?? []).map(({ type, email_subject }, i) =>
    type === 'webhook' && email_subject ? { [`${at}.${i}.email_subject`]: 'is allowed only if type is email' } : {},
  )
  return Object.assign({}, ...each)
}

export function checkConferencing(at: string, conferencing: Conferencing | null | undefined): Problems {
  const { provider, details, autocreate } = conferencing ?? {}
  if (!conferencing || Object.keys(conferencing).length === 0) return {}
  if (!provider) return { [`${at}.provider`]: 'is required' }
  if (details && autocreate) return { [`${at}.details`]: 'cannot be combined with autocreate' }
  if (autocreate && /^zoom/i.test(provider) && !autocreate.conf_grant_id) {
    return { [`${at}.autocreate.conf_grant_id`]: 'is required for Zoom' }
  }
  return {}
}

/** Links end up in mails and pages, so that only http and https are allowed. */
const isLink = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)

const links = [
  'rescheduling_url',
  'cancellation_url',
  'organizer_confirmation_url',
  'confirmation_redirect_url',
] as const

export function checkTexts({ scheduler, appearance }: ConfigurationDraft): Problems {
  const given: [string, string | null | undefined][] = [
    ...links.map((name): [string, string | null | undefined] => [`scheduler.${name}`, scheduler?.[name]]),
    ['scheduler.email_template.logo', scheduler?.email_template?.logo],
    ['appearance.company_logo_url', appearance?.company_logo_url],
  ]
  const bad = given.filter(([, url]) => url && !isLink(url)).map(([at]) => [at, 'must be an http or https address'])
  return { ...Object.fromEntries(bad), ...checkFields(scheduler?.additional_fields) }
}

function checkFields(fields: Record<string, AdditionalField> | null | undefined): Problems {
  const at = 'scheduler.additional_fields'
  const entries = Object.entries(fields ?? {})
  if (entries.length > maxFields) return { [at]: `must have at most ${maxFields} fields` }
  if (JSON.stringify(fields ?? {}).length > maxFieldBytes) {
    return { [at]: `must not be larger than ${maxFieldBytes} bytes as JSON` }
  }
  return Object.assign({}, ...entries.map(([key, field]) => checkField(`${at}.${key}`, field)))
}

const choosing: ReadonlySet<string> = new Set(['dropdown', 'radio_button', 'multi_select'])

function checkField(at: string, { type, options, pattern }: AdditionalField): Problems {
  const problems: Problems = {}
  if (choosing.has(type) && (options ?? []).length === 0) {
    problems[`${at}.options`] = `is required for ${type}`
  }
  if (pattern && !compiles(pattern)) problems[`${at}.pattern`] = 'must be a regular expression of JavaScript'
  return problems
}

/** The whole value must match. */
export const wholePattern = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)

function compiles(pattern: string): boolean {
  try {
    // Alone too, because a parenthesis too many would fit into the second form.
    return [new RegExp(pattern), wholePattern(pattern)].length > 0
  } catch {
    return false
  }
}

// Checks open hours and hours of single dates. Pure.

/** Messages by field. */
export type Problems = Record<string, string>

const notADate = 'must be a date that exists, as YYYY-MM-DD'
/** The public API accepts no later start. */
const lastStart = 23 * 60 + 49

function checkSpan(at: string, start: string, end: string): Problems {
  const from = minutesOfDay(start)
  const to = minutesOfDay(end)
  const problems: Problems = {}
  if (from === undefined || from > lastStart) problems[`${at}.start`] = 'must be a time from 0:00 to 23:49'
  if (to === undefined) problems[`${at}.end`] = 'must be a time from 0:01 to 24:00'
  else if (from !== undefined && to <= from) problems[`${at}.end`] = 'must be after start'
  return problems
}

function checkDates(at: string, dates: readonly string[] | null | undefined): Problems {
  const bad = (dates ?? []).flatMap((date, i) => (parseDate(date) === undefined ? [[`${at}.${i}`, notADate]] : []))
  return Object.fromEntries(bad)
}

export function checkHours(at: string, hours: readonly BookingHours[] | null | undefined): Problems {
  const each = (hours ?? []).map(({ start, end, exdates, ex_dates }, i) => ({
    ...checkSpan(`${at}.${i}`, start, end),
    ...checkDates(`${at}.${i}.exdates`, exdates),
    ...checkDates(`${at}.${i}.ex_dates`, ex_dates),
  }))
  return Object.assign({}, ...each)
}

/** From 0:00 to 0:00 closes the day. */
export function checkSpecificTimes(at: string, times: readonly SpecificTime[] | null | undefined): Problems {
  const each = (times ?? []).map(({ date, start, end }, i) => ({
    ...(minutesOfDay(start) === 0 && minutesOfDay(end) === 0 ? {} : checkSpan(`${at}.${i}`, start, end)),
    ...(parseDate(date) === undefined ? { [`${at}.${i}.date`]: notADate } : {}),
  }))
  return Object.assign({}, ...each)
}
