/** A conference that a request orders from another grant: `conferencing.autocreate` with `conf_grant_id`. Pure. */

import type { Conferencing, EventChange } from '@waypost/contract'
import { normaliseWhen } from '@waypost/formats/timezones/when'
import { invalidField } from '@waypost/platform/api-error'
import { isObject } from '@waypost/platform/json/values'
import { checkConferencing } from '@waypost/providers/calendar/event-input'
import type { ConferenceDraft, Conferences } from '@waypost/providers/conferences'

export type ConferenceName = Conferences<never>['name']

const names: readonly ConferenceName[] = ['Google Meet', 'Microsoft Teams', 'Zoom Meeting']
const maxSettings = 16_384
const field = 'conferencing.autocreate'

export interface ConferenceOrder {
  name: ConferenceName
  /** As the client wrote it: an id, an address or another locator. */
  grant: string
  settings: Readonly<Record<string, unknown>>
}

/** The conference to order. Undefined if the account of the event creates it itself, or if there is none to create. */
export function orderIn(
  conferencing: Conferencing | null | undefined,
  account: { kind: string; creates: ConferenceName | undefined },
): ConferenceOrder | undefined {
  if (!conferencing?.autocreate) return undefined
  checkConferencing(conferencing)
  const { provider = '', autocreate } = conferencing
  const name = provider === 'Teams for Business' ? 'Microsoft Teams' : names.find((each) => each === provider)
  if (!name) throw invalidField('conferencing.provider', `must be ${names.join(', ')} with autocreate`)
  const { conf_grant_id: grant, conf_settings: given } = autocreate
  if (grant === undefined || grant === null) {
    if (name === account.creates) return undefined
    const own = account.creates ? `only ${account.creates}` : 'no conference'
    const problem = `is required: ${account.kind} creates ${own} itself, so name the grant that creates a ${name}`
    throw invalidField(`${field}.conf_grant_id`, problem)
  }
  if (typeof grant !== 'string') throw invalidField(`${field}.conf_grant_id`, 'must be a text')
  const settings = given ?? {}
  if (!isObject(settings)) throw invalidField(`${field}.conf_settings`, 'must be an object')
  if (Buffer.byteLength(JSON.stringify(settings)) > maxSettings) {
    throw invalidField(`${field}.conf_settings`, `must not be larger than ${maxSettings} bytes as JSON`)
  }
  return { name, grant, settings }
}

/** What the conference has of its event. A series and whole days have no time that a conference could have. */
export function draftFor(
  { title, when, recurrence }: Pick<EventChange, 'title' | 'recurrence'> & { when?: EventChange['when'] | null },
  settings: Readonly<Record<string, unknown>>,
): ConferenceDraft {
  const read = when && normaliseWhen(when)
  const repeats = (recurrence?.length ?? 0) > 0
  const span = read?.ok && read.when.object === 'timespan' && !repeats ? read.when : undefined
  return {
    title: title ?? '',
    ...(span ? { time: { start: span.start_time, end: span.end_time } } : {}),
    settings,
  }
}
