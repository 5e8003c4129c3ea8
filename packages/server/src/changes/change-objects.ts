/** The objects of notifications about changes, as far as they are more than what the provider reports. */
import { type Message, MessageClean, triggers } from '@waypost/contract'
import type { CleanInput } from '@waypost/formats/parse-worker'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Change, RequestedTrigger } from '@waypost/providers/provider'
import type { Queries } from '@waypost/store/engine/database'
import type { Holder } from '@waypost/store/tables/calendars-contacts/metadata-rows'
import {
  type ObjectName,
  readObjectMetadata,
  removeObjectMetadata,
} from '@waypost/store/tables/calendars-contacts/object-metadata'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Notify } from '../grants/notify.ts'

export type MessageCame = Extract<Change, { trigger: 'message.created' }>

/** The fields of a message that cleaning sets for `message.created.cleaned`: its body is its cleaned text as Markdown. */
export interface Cleaning {
  body?: string
  cleaning_status: 'success' | 'failed'
  cleaning_error?: string
}

/** The defaults of `PUT /messages/clean`, so that both return the same text. */
const { message_id: _, ...options } = MessageClean.parse({ message_id: ['any'], html_as_markdown: true })

const failed = (error: string): Cleaning => ({ cleaning_status: 'failed', cleaning_error: error })

/** Cleans new messages in worker threads; the result is in their order. */
export async function cleanArrived(
  parse: Pick<ParsePool, 'run'>,
  arrived: readonly MessageCame[],
  { signal, owner }: { signal: AbortSignal; owner: string },
): Promise<Map<MessageCame, Cleaning>> {
  const readable = arrived.filter(({ object: { body } }) => body !== undefined)
  const inputs = readable.map(({ object: { body = '' }, isHtml = false }): CleanInput => ({ body, isHtml, options }))
  const outcomes = inputs.length === 0 ? [] : await parse.run<CleanInput, string>('clean', inputs, { signal, owner })
  const cleaned = new Map<MessageCame, Cleaning>(
    arrived.map((change) => [change, failed('the body of the message could not be read')]),
  )
  for (const [place, change] of readable.entries()) {
    const outcome = outcomes[place]
    if (outcome?.ok) cleaned.set(change, { body: outcome.value, cleaning_status: 'success' })
    else cleaned.set(change, failed('the body of the message could not be converted in time'))
  }
  return cleaned
}

/** A message with its cleaned text. Fields that only accounts with headers alone have are left out. */
export function withCleaning(message: object, cleaning: Cleaning): object {
  const { headers: _, ...rest }: Partial<Message> = message
  return { ...rest, ...cleaning }
}

type EventChanged = Extract<Change, { trigger: `event.${string}` }>
type CalendarChanged = Extract<Change, { trigger: `calendar.${string}` }>

/** Adds stored metadata. An instance has its own, or that of its series. */
export async function withEventMetadata(tx: Queries, at: Holder, { trigger, object }: EventChanged): Promise<object> {
  const nameOf = (id: string): ObjectName => ({ object: 'event', id, calendarId: object.calendar_id })
  const own = nameOf(object.id)
  const master = object.master_event_id ? nameOf(object.master_event_id) : undefined
  const read = await readObjectMetadata(tx, at, master ? [own, master] : [own])
  if (trigger === 'event.deleted') await removeObjectMetadata(tx, at, own)
  const metadata = read(own) ?? (master && read(master))
  return metadata ? { ...object, metadata } : object
}

export async function withCalendarMetadata(
  tx: Queries,
  at: Holder,
  { trigger, object }: CalendarChanged,
): Promise<object> {
  const name: ObjectName = { object: 'calendar', id: object.id }
  if (trigger === 'calendar.deleted') {
    await removeObjectMetadata(tx, at, name)
    return object
  }
  const metadata = (await readObjectMetadata(tx, at, [name]))(name)
  return metadata ? { ...object, metadata } : object
}

const trigger = 'grant.imap_sync_completed'

/**
 * Notifies once that the mail of an account was read for the first time. The contract of the object says for which kind of
 * account the trigger exists.
 */
export async function notifyFirstRead(
  tx: Queries,
  { notify, record, requested }: { notify: Notify; record: GrantRecord; requested: ReadonlySet<RequestedTrigger> },
): Promise<void> {
  const { applicationId, connectorId, grant } = record
  const { id: grantId, provider } = grant
  const object = { code: 25012, grant_id: grantId, integration_id: connectorId, provider, type: trigger }
  if (!requested.has(trigger) || !triggers[trigger].object.safeParse(object).success) return
  await notify(tx, { applicationId, grantId, provider, trigger, object })
}
