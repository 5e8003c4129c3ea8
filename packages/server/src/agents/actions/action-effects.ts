/** Finds the effects of a request, with the objects that it is about. The rules themselves are pure (`agents/effects/`). */
import type {
  Booking,
  BookingDraft,
  Configuration,
  Event,
  EventChange,
  EventDraft,
  Rsvp,
  SchedulingSessionDraft,
  SendRequest,
} from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import { findBooking } from '../../booking/bookings/booking-record.ts'
import { findConfiguration, findNamedConfiguration } from '../../booking/configurations.ts'
import { findPageVisitor, type Visit } from '../../booking/page-visitor.ts'
import { defaultMinutes } from '../../booking/scheduling-sessions.ts'
import { isInReach } from '../../grants/caller.ts'
import {
  bookingChangeEffects,
  bookingPageEffects,
  bookingSessionEffects,
  groupEventEffects,
  newBookingEffects,
} from '../effects/booking-effects.ts'
import { deletionEffects } from '../effects/deletion-effects.ts'
import { type EffectRule, effectRuleOf } from '../effects/effect-rules.ts'
import { detail, type Effects, none } from '../effects/effects.ts'
import { answerEffects, eventChangeEffects, eventDeletionEffects, newEventEffects } from '../effects/event-effects.ts'
import { withFurtherAddresses } from '../effects/header-addresses.ts'
import { readableOf } from '../effects/readable-text.ts'
import { type Action, type ActionContext, type ActionTools, objectReader } from './action.ts'
import type { CallRoute } from './call-route.ts'
import { draftEffects, draftWritingEffects, sendEffects } from './message-actions.ts'
import { textEffects } from './text-actions.ts'

export interface FoundEffects extends Effects {
  /** The account that acts; null for an action of the application. */
  grantId: string | null
}

const ownAddress = ({ context }: Action): string => context.grant?.grant.email ?? ''

/** The fields of an event action. */
const eventActionOf = (action: Action) => {
  const { query } = action.context
  return {
    own: ownAddress(action),
    notifies: query.notify_participants !== false,
    calendarId: typeof query.calendar_id === 'string' ? query.calendar_id : undefined,
  }
}

const eventOf = ({ context, read }: Action): Promise<Event> =>
  read<Event>('events.get', {
    calendar_id: typeof context.query.calendar_id === 'string' ? context.query.calendar_id : undefined,
  })

/** A description may be HTML. */
const descriptionOf = async (action: Action, text: string | null | undefined): Promise<string> =>
  (await readableOf(action.reading, text ?? '')).text

const lastParam = ({ params }: ActionContext): string => Object.values(params).at(-1) ?? ''

/** Something of a resource, read by its own route. Some providers cannot read all that they can delete. */
async function deletedObject(action: Action, resource: string): Promise<Record<string, unknown> | undefined> {
  try {
    return await action.read<Record<string, unknown>>(`${resource}.get`)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_supported_by_provider') return undefined
    throw error
  }
}

const words: Readonly<Record<string, string>> = {
  drafts: 'draft',
  messages: 'message',
  folders: 'folder',
  contacts: 'contact',
  contactGroups: 'group of contacts',
  configurations: 'booking page',
  grantTemplates: 'template',
  grantWorkflows: 'workflow',
  redirectUris: 'redirect URI',
  grants: 'grant with everything that the service stores for it',
}

async function permanentDeletion(action: Action): Promise<Effects> {
  const { resource } = action.context.served.named
  const object = await deletedObject(action, resource)
  const what = words[resource] ?? resource.replace(/s$/, '')
  const effects = deletionEffects({ what, id: lastParam(action.context), object })
  return resource === 'grants' ? { ...effects, hasUnknownRecipients: true } : effects
}

async function calendarDeletion(action: Action): Promise<Effects> {
  const object = await deletedObject(action, 'calendars')
  const details = detail('Guests', 'Guests of its events may be notified')
  const effects = deletionEffects({ what: 'calendar', id: lastParam(action.context), object, details })
  return { ...effects, kinds: ['invite', 'delete'], hasUnknownRecipients: true }
}

/** The configuration in a path, and the grant that owns it. */
async function pageOf({
  tools,
  context,
}: Action): Promise<{ configuration: Configuration; grantId: string } | undefined> {
  const { params, application } = context
  const id = params.configuration_id?.toLowerCase() ?? ''
  const reading = { queries: tools.database, seals: tools.seals }
  return findConfiguration(reading, { applicationId: application?.id ?? '', id })
}

/** The event that a change or deletion of a group event is about. */
function groupEventOf({ context, read }: Action, { group_booking }: Configuration): Promise<Event> {
  const named = context.query.calendar_id ?? fieldOf(context.body, 'calendar_id')
  const calendar_id = typeof named === 'string' ? named : group_booking?.calendar_id
  return read<Event>('events.get', { calendar_id })
}

async function groupEvents(action: Action): Promise<FoundEffects> {
  const { context } = action
  const page = await pageOf(action)
  // The answer to a key with full rights, and no event is read for it.
  if (!page || (context.grant && context.grant.grant.id !== page.grantId)) throw new ApiError('not_found')
  const title = page.configuration.name
  const { operation } = context.served.named
  const body = context.served.named.route.body ? context.body : undefined
  const own = context.grant?.grant.email ?? undefined
  const event = context.params.event_id === undefined ? undefined : await groupEventOf(action, page.configuration)
  const effects = groupEventEffects(operation, { body, title, own, event })
  return { ...effects, grantId: page.grantId }
}

/** A session for a page. At a public page it opens nothing that is not open. */
async function bookingSession({ tools, context }: Action): Promise<Effects | FoundEffects> {
  const { application, body } = context
  const { configuration_id: id, slug, time_to_live } = body as SchedulingSessionDraft
  const reading = { queries: tools.database, seals: tools.seals }
  const record = await findNamedConfiguration(reading, application?.id ?? '', { id, slug })
  if (!application || !record?.configuration.requires_session_auth) return none
  if (!(await isInReach(tools.database, application, { by: 'id', value: record.grantId }))) return none
  const effects = bookingSessionEffects(record.configuration, time_to_live ?? defaultMinutes)
  return { ...effects, grantId: record.grantId }
}

async function newBooking({ tools, context }: Action): Promise<FoundEffects> {
  const { application, schedulingSession } = context
  const query = context.query as Visit['query']
  const { record } = await findPageVisitor(tools, { application, schedulingSession, query })
  const owner = record.configuration.participants.find(({ is_organizer }) => is_organizer)?.email
  const effects = newBookingEffects(context.body as BookingDraft, record.configuration, owner)
  return { ...effects, grantId: record.grantId }
}

async function bookingChange({ tools, context, read }: Action): Promise<FoundEffects> {
  const { application, params } = context
  const at = { applicationId: application?.id ?? '', id: params.booking_id?.toLowerCase() ?? '' }
  const booking = await read<Booking>('bookings.get')
  const record = await findBooking(tools.database, tools.seals, at)
  const { body } = context
  const { operation } = context.served.named
  const { start_time, end_time } = body as Record<string, unknown>
  const effects = bookingChangeEffects(booking, {
    operation: operation.slice(0, 1).toUpperCase() + operation.slice(1),
    to:
      typeof start_time === 'number' && typeof end_time === 'number' ? { start: start_time, end: end_time } : undefined,
    decision: textIn(body, 'status'),
    reason: textIn(body, 'cancellation_reason'),
  })
  return { ...effects, grantId: record?.grantId ?? null }
}

const rules: Record<EffectRule, (action: Action) => Promise<Effects | FoundEffects>> = {
  nothing: async () => none,
  permanent: permanentDeletion,
  message: (action) => sendEffects(action, action.context.body as SendRequest | undefined),
  draft: draftEffects,
  'draft writing': async ({ context }) => draftWritingEffects(context.body),
  'message deletion': async (action) => (action.context.query.hard_delete === true ? permanentDeletion(action) : none),
  event: async (action) => {
    const body = action.context.body as EventDraft
    return newEventEffects(body, await descriptionOf(action, body.description), eventActionOf(action))
  },
  'event change': async (action) => {
    const event = await eventOf(action)
    const body = action.context.body as EventChange
    const text = await descriptionOf(action, body.description === undefined ? event.description : body.description)
    return eventChangeEffects({ event, body }, text, eventActionOf(action))
  },
  'event deletion': async (action) => eventDeletionEffects(await eventOf(action), eventActionOf(action)),
  answer: async (action) => {
    const { status, comment } = action.context.body as Rsvp
    return answerEffects({ event: await eventOf(action), status, comment }, ownAddress(action))
  },
  'calendar deletion': calendarDeletion,
  'booking page': async (action) => {
    const { context } = action
    const changed = context.served.named.operation === 'create' ? undefined : (await pageOf(action))?.configuration
    return bookingPageEffects(context.body as Record<string, unknown>, { own: ownAddress(action), changed })
  },
  'booking session': bookingSession,
  'mailed text': textEffects,
  'group event': groupEvents,
  booking: newBooking,
  'booking change': bookingChange,
}

/** The effects of a parsed request; undefined if its route has none. */
export async function effectsOf(
  tools: ActionTools,
  call: CallRoute,
  context: ActionContext,
): Promise<FoundEffects | undefined> {
  const { id } = context.served.named
  const rule = effectRuleOf(id)
  if (rule === 'nothing') return undefined
  const reading = { parse: tools.parse, signal: context.request.signal }
  const found = withFurtherAddresses(
    context,
    await rules[rule]({ tools, context, reading, read: objectReader(call, context) }),
  )
  if ('grantId' in found) return found
  // The approval of a deletion outlives its grant.
  return { ...found, grantId: id === 'grants.delete' ? null : (context.grant?.grant.id ?? null) }
}
