/** A notification with the object that its trigger carries: `type` tells which, to the reader and to the compiler. */
import type { MessageHeadersObject, Notification, Trigger, triggers } from '@waypost/contract'
import type { z } from 'zod'

type Facts<T extends Trigger> = (typeof triggers)[T]
type ObjectOf<T extends Trigger> = z.output<Facts<T>['object']>
/** What stands beside the object; nothing, for most triggers. */
type Beside<T extends Trigger> = z.output<NonNullable<Facts<T>['data']>['schema']>

type Envelope<Type extends string, Data> = Omit<Notification, 'type' | 'data'> & {
  type: Type
  data: { application_id: string } & Data
}

type Whole<T extends Trigger> = T extends Trigger ? Envelope<T, { object: ObjectOf<T> } & Beside<T>> : never
/** Large fields were left out: what is needed is fetched from the API, by the ids that stay. */
type Truncated<T extends Trigger> = T extends Trigger
  ? Envelope<`${T}.truncated`, { object: Partial<ObjectOf<T>> } & Partial<Beside<T>>>
  : never

type Letter = z.output<typeof MessageHeadersObject>
/** The account shows the headers of its mail alone. */
type HeadersAlone<T extends Trigger> = T extends Trigger
  ? Envelope<`${T}.metadata`, { object: Letter }> | Envelope<`${T}.metadata.truncated`, { object: Partial<Letter> }>
  : never

/** One of the notifications that this version knows; a newer server may send others. */
export type VerifiedNotification =
  | Whole<Trigger>
  | Truncated<Trigger>
  | HeadersAlone<'message.created' | 'message.updated'>
