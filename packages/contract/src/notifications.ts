/** What this service tells of: the triggers, the object that each carries, and the envelope around it. */
import { z } from 'zod'
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
  GrantUpdatedObject,
  LinkClickedObject,
  MessageData,
  MessageObject,
  MessageOpenedObject,
  ScheduledMessageObject,
  SendFailedData,
  ThreadRepliedObject,
} from './notification-objects.ts'
import {
  sampleBounce,
  sampleCalendar,
  sampleContact,
  sampleEvent,
  sampleFolder,
  sampleGrant,
  sampleLinkClicked,
  sampleMessage,
  sampleMessageHeaders,
  sampleOpened,
  sampleReply,
  sampleScheduledMessage,
  sampleSendFailure,
} from './notification-samples.ts'
import { removedTriggers } from './removed.ts'
import { laterTriggers } from './unavailable.ts'

/** What a notification is about: part of its `source`. */
export type NotificationProduct = 'emails' | 'events' | 'contacts' | 'system' | 'send' | 'tracking'

interface TriggerFacts<O extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  /** When it fires. */
  readonly summary: string
  readonly product: NotificationProduct
  /** The schema of `data.object`. */
  readonly object: O
  readonly sample: z.output<O>
  /** What stands in `data` beside `object`. */
  readonly data?: { readonly schema: D; readonly sample: z.output<D> }
  /** The field that grows: left out of a sample with the suffix `.truncated`. */
  readonly grows?: string
}

const trigger = <O extends z.ZodType, D extends z.ZodType>(facts: TriggerFacts<O, D>): TriggerFacts<O, D> => facts

const { id, grant_id, object, calendar_id } = sampleEvent
const scheduled = { grant_id }
const message = { product: 'emails', object: MessageObject, sample: sampleMessage, grows: 'body' } as const
const calendar = { product: 'events', object: Calendar, sample: sampleCalendar, grows: 'description' } as const
const event = { product: 'events', object: EventObject, sample: sampleEvent, grows: 'description' } as const
const folder = { product: 'emails', object: Folder, sample: sampleFolder } as const

/** Every trigger that can be subscribed to. Suffixes such as `.truncated` come with the trigger they belong to. */
export const triggers = {
  'grant.created': trigger({
    summary: 'A new grant',
    product: 'system',
    object: GrantCreatedObject,
    sample: { code: 25012, ...sampleGrant, name: 'Mira Okafor', scope: ['openid', 'calendar', 'gmail.modify'] },
  }),
  'grant.updated': trigger({
    summary: 'A grant was changed or re-authenticated',
    product: 'system',
    object: GrantUpdatedObject,
    sample: { code: 25027, ...sampleGrant, reauthentication_flag: true },
  }),
  'grant.expired': trigger({
    summary: 'A grant became invalid: its end user must re-authenticate',
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
  'message.created': trigger({ summary: 'A message arrived or was sent', ...message }),
  'message.updated': trigger({
    summary: 'A message was changed',
    ...message,
    sample: { ...sampleMessage, unread: false },
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
    summary: 'A sent message came back',
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
    summary: 'A link in a tracked message was followed',
    product: 'tracking',
    object: LinkClickedObject,
    sample: sampleLinkClicked,
  }),
  'thread.replied': trigger({
    summary: 'A tracked message was answered',
    product: 'tracking',
    object: ThreadRepliedObject,
    sample: sampleReply,
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
    summary: 'An event, a series or instances of it were changed',
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
export const triggerNames = Object.keys(triggers) as [Trigger, ...Trigger[]]
export const Trigger = z
  .enum(triggerNames)
  .meta({ id: 'Trigger', description: 'Kind of change that can be subscribed to' })

const isTrigger = (name: string): name is Trigger => Object.hasOwn(triggers, name)

const suffix = /\.(?:truncated|metadata|transformed)$/

/** Why a name cannot be subscribed to. */
function refusalOf(name: string): string {
  const shown = name.slice(0, 64)
  const instead = Object.hasOwn(removedTriggers, name) ? removedTriggers[name] : undefined
  if (instead !== undefined) return `${shown} no longer exists; ${instead}`
  const base = name.replace(suffix, '')
  if (base !== name && isTrigger(base)) return `${shown} is no subscription of its own: it comes with ${base}`
  const later = Object.entries(laterTriggers).find(([, names]) => names.includes(base))?.[0]
  if (later !== undefined) return `${shown} is not available yet: this service has no ${later}`
  return `${shown} is no trigger; there are ${triggerNames.join(', ')}`
}

const nameOf = <T extends string>(accepts: (name: string) => name is T, names: readonly string[]): z.ZodType<T, T> =>
  z
    .string()
    .max(256)
    .superRefine((name, context) => {
      if (!accepts(name)) context.addIssue({ code: 'custom', message: refusalOf(name) })
    })
    // The refinement above is what makes it so.
    .meta({ enum: names }) as unknown as z.ZodType<T, T>

/** A trigger in a subscription: the error says what to use instead. */
export const SubscribableTrigger = nameOf(isTrigger, triggerNames)

/** Where an account shows the headers of its mail alone, these have the suffix `.metadata`, and another object. */
const withHeadersAlone = ['message.created', 'message.updated'] as const
type WithHeadersAlone = (typeof withHeadersAlone)[number]

/** Every `type` that notifications of a trigger have. */
export function typesOf(of: Trigger): string[] {
  const names = withHeadersAlone.some((name) => name === of) ? [of, `${of}.metadata`] : [of]
  return names.flatMap((name) => [name, `${name}.truncated`])
}

/** A trigger whose notifications can be shown: also `.truncated`, of those that carry a field that grows. */
export type ShownTrigger = Trigger | `${Trigger}.truncated` | `${WithHeadersAlone}.metadata`
const shownNames = [
  ...triggerNames,
  ...triggerNames.filter((name) => triggers[name].grows !== undefined).map((name) => `${name}.truncated`),
  ...withHeadersAlone.map((name) => `${name}.metadata`),
]
export const ShownTrigger = nameOf((name): name is ShownTrigger => shownNames.includes(name), shownNames)

const owner = 'waypost'

/** The `source` of a notification: `/<provider>/<product>/<sync type>`, or the part of this service that speaks. */
export function sourceOf(
  of: Trigger,
  provider: string,
  sync: 'realtime' | 'incremental' | 'historic' = 'realtime',
): string {
  const { product } = triggers[of]
  const own = product === 'system' || product === 'send' || product === 'tracking'
  return own ? `/${owner}/${product}` : `/${provider}/${product}/${sync}`
}

export const Notification = z
  .object({
    specversion: z.literal('1.0').meta({ description: 'Version of CloudEvents: always `1.0`' }),
    type: z.string().meta({
      description:
        'The trigger; with `.truncated` when large fields were left out, so that the body has at most 1 MB; with `.metadata` when the account shows the headers of its mail alone',
    }),
    source: z.string().meta({
      description:
        'Where it comes from: `/<provider>/<product>/<how it was noticed>`, such as `/google/emails/realtime`, or the part of this service that speaks, such as `/waypost/system`',
    }),
    id: z.string().meta({
      description: 'Id of the notification. The same at every attempt and destination: what to know repetitions by.',
    }),
    time: Timestamp.meta({ description: 'When it was made, in Unix seconds' }),
    webhook_delivery_attempt: z.int().min(1).meta({
      description: 'Which attempt at this destination it is, from 1 on; replays go on counting',
    }),
    grant_sequence: z.int().min(1).meta({
      description: 'Counts the notifications of the grant without gaps, in the order of its changes',
    }),
    data: z
      .looseObject({
        application_id: Id.meta({ description: 'Id of the application that the grant belongs to' }),
        object: z.record(z.string(), z.unknown()).nullable().meta({
          description: 'What changed: the object as the API answers with it, or its ids where it is gone',
        }),
      })
      .meta({ description: 'What happened. Some triggers tell more beside the object.' }),
  })
  .meta({ id: 'Notification', description: 'What is told of a change: a CloudEvents envelope with the object in it' })
export type Notification = z.output<typeof Notification>

/** A believable notification of a trigger. */
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
    source: sourceOf(name, sampleGrant.provider),
    id: facts.id,
    time: facts.time,
    webhook_delivery_attempt: 1,
    grant_sequence: 1,
    data: { application_id: facts.applicationId, ...beside, object: sample },
  }
}
