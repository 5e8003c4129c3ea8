/** Notifications: the triggers, the object of each, and the envelope. */
import { z } from 'zod'
import { Approval } from './agents/approvals.ts'
import { Calendar } from './calendars.ts'
import { Id, Timestamp } from './fields.ts'
import { Folder } from './folders.ts'
import {
  BounceObject,
  CalendarDeletedObject,
  ContactDeletedObject,
  ContactObject,
  EventDeletedObject,
  EventObject,
  FolderDeletedObject,
  GrantCreatedObject,
  GrantDeletedObject,
  GrantExpiredObject,
  GrantImapSyncCompletedObject,
  GrantUpdatedObject,
  LinkClickedObject,
  MessageCleanedObject,
  MessageData,
  MessageDeletedObject,
  MessageObject,
  MessageOpenedObject,
  ScheduledMessageObject,
  SendFailedData,
  ThreadRepliedObject,
} from './notification-objects.ts'
import {
  sampleBounce,
  sampleCalendar,
  sampleCleanedMessage,
  sampleContact,
  sampleEvent,
  sampleExecutedApproval,
  sampleExpiredApproval,
  sampleFailedApproval,
  sampleFolder,
  sampleGrant,
  sampleLinkClicked,
  sampleMessage,
  sampleMessageHeaders,
  sampleOpened,
  samplePendingApproval,
  sampleRejectedApproval,
  sampleReply,
  sampleScheduledMessage,
  sampleSendFailure,
} from './notification-samples.ts'
import { removedTriggers } from './removed.ts'
import {
  BookingObject,
  sampleBooking,
  sampleBookingReminder,
  sampleCancelledBooking,
  samplePendingBooking,
  sampleRescheduledBooking,
} from './scheduling/booking-notifications.ts'
import { laterTriggers } from './unavailable.ts'

/** Part of the `source` of a notification. */
export type NotificationProduct =
  | 'emails'
  | 'events'
  | 'contacts'
  | 'system'
  | 'send'
  | 'tracking'
  | 'scheduling'
  | 'agents'

interface TriggerFacts<O extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  /** When it is sent. */
  readonly summary: string
  readonly product: NotificationProduct
  /** How it is always detected, if there is only one way. */
  readonly found?: 'historic'
  /** Schema of `data.object`. */
  readonly object: O
  readonly sample: z.output<O>
  /** Fields of `data` in addition to `object`. */
  readonly data?: { readonly schema: D; readonly sample: z.output<D> }
  /** The large field, which is omitted in a sample with the suffix `.truncated`. */
  readonly grows?: string
}

const trigger = <O extends z.ZodType, D extends z.ZodType>(facts: TriggerFacts<O, D>): TriggerFacts<O, D> => facts

const { id, grant_id, object, calendar_id } = sampleEvent
const scheduled = { grant_id }
const message = { product: 'emails', object: MessageObject, sample: sampleMessage, grows: 'body' } as const
const calendar = { product: 'events', object: Calendar, sample: sampleCalendar, grows: 'description' } as const
const event = { product: 'events', object: EventObject, sample: sampleEvent, grows: 'description' } as const
const folder = { product: 'emails', object: Folder, sample: sampleFolder } as const
const approval = { product: 'agents', object: Approval } as const
const booking = { product: 'scheduling', object: BookingObject, sample: sampleBooking } as const

/** All triggers that can be subscribed to. Suffixes such as `.truncated` are included with their trigger. */
export const triggers = {
  'grant.created': trigger({
    summary: 'A new grant',
    product: 'system',
    object: GrantCreatedObject,
    sample: { code: 25012, ...sampleGrant, name: 'Mira Okafor', scope: ['openid', 'calendar', 'gmail.modify'] },
  }),
  'grant.updated': trigger({
    summary: 'A grant was changed or authenticated again',
    product: 'system',
    object: GrantUpdatedObject,
    sample: { code: 25027, ...sampleGrant, reauthentication_flag: true },
  }),
  'grant.expired': trigger({
    summary: 'A grant became invalid: its end user must authenticate again',
    product: 'system',
    object: GrantExpiredObject,
    sample: { code: 25009, ...sampleGrant, grant_updated_at: 1_739_223_251 },
  }),
  'grant.deleted': trigger({
    summary: 'A grant was deleted',
    product: 'system',
    object: GrantDeletedObject,
    sample: { code: 25013, ...sampleGrant },
  }),
  'grant.imap_sync_completed': trigger({
    summary: 'The mail of a new IMAP account was read for the first time',
    product: 'emails',
    found: 'historic',
    object: GrantImapSyncCompletedObject,
    sample: {
      code: 25012,
      grant_id,
      integration_id: sampleGrant.integration_id,
      provider: 'imap',
      type: 'grant.imap_sync_completed',
    },
  }),
  'message.created': trigger({ summary: 'A message arrived or was sent', ...message }),
  'message.updated': trigger({
    summary: 'A message was changed',
    ...message,
    sample: { ...sampleMessage, unread: false },
  }),
  'message.created.cleaned': trigger({
    summary: 'A message arrived or was sent; its `body` is the cleaned text as Markdown',
    ...message,
    object: MessageCleanedObject,
    sample: sampleCleanedMessage,
  }),
  'message.deleted': trigger({
    summary: 'A message was removed from the mailbox for good',
    product: 'emails',
    object: MessageDeletedObject,
    sample: { id: sampleMessage.id, grant_id, object: 'message' },
  }),
  'message.send_success': trigger({
    summary: 'A scheduled message was sent',
    product: 'send',
    object: ScheduledMessageObject,
    sample: sampleScheduledMessage,
    data: { schema: MessageData, sample: scheduled },
  }),
  'message.send_failed': trigger({
    summary: 'A scheduled message could not be sent',
    product: 'send',
    object: ScheduledMessageObject.nullable(),
    sample: sampleScheduledMessage,
    data: { schema: SendFailedData, sample: sampleSendFailure },
  }),
  'message.bounce_detected': trigger({
    summary: 'A sent message bounced',
    product: 'send',
    object: BounceObject,
    sample: sampleBounce,
    data: { schema: MessageData, sample: scheduled },
  }),
  'message.opened': trigger({
    summary: 'A tracked message was opened',
    product: 'tracking',
    object: MessageOpenedObject,
    sample: sampleOpened,
  }),
  'message.link_clicked': trigger({
    summary: 'A link in a tracked message was clicked',
    product: 'tracking',
    object: LinkClickedObject,
    sample: sampleLinkClicked,
  }),
  'thread.replied': trigger({
    summary: 'A tracked message received a reply',
    product: 'tracking',
    object: ThreadRepliedObject,
    sample: sampleReply,
  }),
  'booking.created': trigger({ summary: 'A slot was booked, or a pending booking was confirmed', ...booking }),
  'booking.pending': trigger({
    summary: 'A slot was booked and waits for the confirmation of the organizer',
    ...booking,
    sample: samplePendingBooking,
  }),
  'booking.rescheduled': trigger({
    summary: 'A booking was moved to another time',
    ...booking,
    sample: sampleRescheduledBooking,
  }),
  'booking.cancelled': trigger({
    summary: 'A booking was cancelled or declined',
    ...booking,
    sample: sampleCancelledBooking,
  }),
  'booking.reminder': trigger({
    summary: 'A booked event begins soon, as the reminders of the configuration say',
    ...booking,
    sample: sampleBookingReminder,
  }),
  'approval.requested': trigger({
    summary: 'An action of a restricted API key or an agent waits for the approval of a person',
    ...approval,
    sample: samplePendingApproval,
  }),
  'approval.approved': trigger({
    summary: 'A person approved an action, and it was carried out',
    ...approval,
    sample: sampleExecutedApproval,
  }),
  'approval.rejected': trigger({
    summary: 'A person rejected an action, or turned the message into a draft',
    ...approval,
    sample: sampleRejectedApproval,
  }),
  'approval.expired': trigger({
    summary: 'Nobody decided about an action in time',
    ...approval,
    sample: sampleExpiredApproval,
  }),
  'approval.failed': trigger({
    summary: 'A person approved an action, but it was refused or could not be carried out',
    ...approval,
    sample: sampleFailedApproval,
  }),
  'calendar.created': trigger({ summary: 'A calendar was created', ...calendar }),
  'calendar.updated': trigger({ summary: 'A calendar was changed', ...calendar }),
  'calendar.deleted': trigger({
    summary: 'A calendar was deleted',
    product: 'events',
    object: CalendarDeletedObject,
    sample: {
      id: sampleCalendar.id,
      grant_id,
      object: 'calendar',
      name: sampleCalendar.name,
      timezone: sampleCalendar.timezone,
      is_primary: false,
      is_owned_by_user: true,
      read_only: false,
    },
  }),
  'event.created': trigger({ summary: 'An event or a series was created', ...event }),
  'event.updated': trigger({
    summary: 'An event, a series or some of its instances were changed',
    ...event,
    sample: { ...sampleEvent, sequence: 1 },
  }),
  'event.deleted': trigger({
    summary: 'An event or a series was deleted',
    product: 'events',
    object: EventDeletedObject,
    sample: { id, object, grant_id, calendar_id },
  }),
  'contact.updated': trigger({
    summary: 'A contact was created or changed',
    product: 'contacts',
    object: ContactObject,
    sample: sampleContact,
    grows: 'notes',
  }),
  'contact.deleted': trigger({
    summary: 'A contact was deleted',
    product: 'contacts',
    object: ContactDeletedObject,
    sample: { id: sampleContact.id, grant_id, object: 'contact' },
  }),
  'folder.created': trigger({ summary: 'A folder was created', ...folder }),
  'folder.updated': trigger({ summary: 'A folder was changed', ...folder }),
  'folder.deleted': trigger({
    summary: 'A folder was deleted',
    ...folder,
    object: FolderDeletedObject,
    sample: { id: sampleFolder.id, grant_id, object: 'folder', name: sampleFolder.name, system_folder: false },
  }),
} as const

export type Trigger = keyof typeof triggers

/**
 * Triggers that are sent only to applications with a destination that subscribes to them. A notification stream alone
 * does not request them, because they cost additional work or repeat the content of others.
 */
export const requestedTriggers = [
  'grant.imap_sync_completed',
  'message.created.cleaned',
  'message.deleted',
] as const satisfies readonly Trigger[]

export const triggerNames = Object.keys(triggers) as [Trigger, ...Trigger[]]
export const Trigger = z.enum(triggerNames).meta({ id: 'Trigger', description: 'A change that can be subscribed to' })

const isTrigger = (name: string): name is Trigger => Object.hasOwn(triggers, name)

const suffix = /\.(?:truncated|metadata|transformed)$/

/** Explains why a name cannot be subscribed to. */
function refusalOf(name: string): string {
  const shown = name.slice(0, 64)
  const instead = Object.hasOwn(removedTriggers, name) ? removedTriggers[name] : undefined
  if (instead !== undefined) return `${shown} no longer exists; ${instead}`
  const base = name.replace(suffix, '')
  if (base !== name && isTrigger(base))
    return `${shown} cannot be subscribed to separately: it is included with ${base}`
  const later = Object.entries(laterTriggers).find(([, names]) => names.includes(base))?.[0]
  if (later !== undefined) return `${shown} is not available yet: this service does not support ${later}`
  return `${shown} is not a trigger; use one of ${triggerNames.join(', ')}`
}

const nameOf = <T extends string>(accepts: (name: string) => name is T, names: readonly string[]): z.ZodType<T, T> =>
  z
    .string()
    .max(256)
    .superRefine((name, context) => {
      if (!accepts(name)) context.addIssue({ code: 'custom', message: refusalOf(name) })
    })
    // The refinement above guarantees this type.
    .meta({ enum: names }) as unknown as z.ZodType<T, T>

/** A trigger in a subscription. The error names the alternative. */
export const SubscribableTrigger = nameOf(isTrigger, triggerNames)

/**
 * If the scopes of an account only allow reading headers, these triggers have the suffix `.metadata` and a different
 * object.
 */
const withHeadersAlone = ['message.created', 'message.updated'] as const
type WithHeadersAlone = (typeof withHeadersAlone)[number]

/** All `type` values of a trigger's notifications. */
export function typesOf(of: Trigger): string[] {
  const names = withHeadersAlone.some((name) => name === of) ? [of, `${of}.metadata`] : [of]
  return names.flatMap((name) => [name, `${name}.truncated`])
}

/** A trigger whose notifications can be shown: also `.truncated` if its object has a large field. */
export type ShownTrigger = Trigger | `${Trigger}.truncated` | `${WithHeadersAlone}.metadata`
const shownNames = [
  ...triggerNames,
  ...triggerNames.filter((name) => triggers[name].grows !== undefined).map((name) => `${name}.truncated`),
  ...withHeadersAlone.map((name) => `${name}.metadata`),
]
export const ShownTrigger = nameOf((name): name is ShownTrigger => shownNames.includes(name), shownNames)

const owner = 'waypost'

/** What this service reports about its own work. */
const ownProducts: readonly NotificationProduct[] = ['system', 'send', 'tracking', 'scheduling', 'agents']

/** The `source` of a notification: `/<provider>/<product>/<sync type>`, or the part of this service that sends it. */
export function sourceOf(of: Trigger, provider: string, sync: 'realtime' | 'incremental' = 'realtime'): string {
  const { product, found }: TriggerFacts = triggers[of]
  const own = ownProducts.includes(product)
  return own ? `/${owner}/${product}` : `/${provider}/${product}/${found ?? sync}`
}

export const Notification = z
  .object({
    specversion: z.literal('1.0').meta({ description: 'CloudEvents version: always `1.0`' }),
    type: z.string().meta({
      description:
        'The trigger; with `.truncated` if large fields were omitted to limit the body to 1 MB; with `.metadata` if the scopes of the account only allow reading headers',
    }),
    source: z.string().meta({
      description:
        'Origin: `/<provider>/<product>/<how it was detected>`, such as `/google/emails/realtime`, or a part of this service, such as `/waypost/system`',
    }),
    id: z.string().meta({
      description:
        'Id of the notification. It is the same for every attempt and destination; use it to detect duplicates.',
    }),
    time: Timestamp.meta({ description: 'Creation time in Unix seconds' }),
    webhook_delivery_attempt: z.int().min(1).meta({
      description: 'Number of the attempt at this destination, starting at 1; replays continue the count',
    }),
    grant_sequence: z.int().min(1).meta({
      description: "Sequence number of the grant's notifications, without gaps, in the order of changes",
    }),
    data: z
      .looseObject({
        application_id: Id.meta({ description: 'Id of the application that the grant belongs to' }),
        object: z.record(z.string(), z.unknown()).nullable().meta({
          description: 'The changed object as in API responses, or its ids if it was deleted',
        }),
      })
      .meta({ description: 'The change. Some triggers have more fields in addition to the object.' }),
  })
  .meta({ id: 'Notification', description: 'A notification about a change: a CloudEvents envelope with the object' })
export type Notification = z.output<typeof Notification>

/** The provider in a sample. */
function providerOf({ sample }: TriggerFacts): string {
  const { provider = sampleGrant.provider } = (sample ?? {}) as { provider?: string }
  return provider
}

/** A realistic notification of a trigger. */
export function sampleNotification(
  of: ShownTrigger,
  facts: { id: string; time: number; applicationId: string },
): Notification {
  const name = isTrigger(of) ? of : (of.replace(suffix, '') as Trigger)
  const known: TriggerFacts = triggers[name]
  const whole = of.endsWith('.metadata') ? sampleMessageHeaders : known.sample
  const sample = { ...(whole as Record<string, unknown>) }
  if (of.endsWith('.truncated') && known.grows !== undefined) delete sample[known.grows]
  const beside = (known.data?.sample ?? {}) as Record<string, unknown>
  return {
    specversion: '1.0',
    type: of,
    source: sourceOf(name, providerOf(known)),
    id: facts.id,
    time: facts.time,
    webhook_delivery_attempt: 1,
    grant_sequence: 1,
    data: { application_id: facts.applicationId, ...beside, object: sample },
  }
}
