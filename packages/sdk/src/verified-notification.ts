/** A notification with the object that its trigger carries: `type` tells which, to the reader and to the compiler. */
import type { MessageHeadersObject, Notification, Trigger, TriggerData, TriggerObjects } from './generated/types.ts'

type ObjectOf<T extends Trigger> = TriggerObjects[T]
/** What stands beside the object; nothing, for most triggers. */
type Beside<T extends Trigger> = T extends keyof TriggerData ? TriggerData[T] : unknown

type Envelope<Type extends string, Data> = Omit<Notification, 'type' | 'data'> & {
  type: Type
  data: { application_id: string } & Data
}

type Whole<T extends Trigger> = T extends Trigger ? Envelope<T, { object: ObjectOf<T> } & Beside<T>> : never
/** Large fields were left out: what is needed is fetched from the API, by the ids that stay. */
type Truncated<T extends Trigger> = T extends Trigger
  ? Envelope<`${T}.truncated`, { object: Partial<ObjectOf<T>> } & Partial<Beside<T>>>
  : never

/** The account shows the headers of its mail alone. */
type HeadersAlone<T extends Trigger> = T extends Trigger
  ?
      | Envelope<`${T}.metadata`, { object: MessageHeadersObject }>
      | Envelope<`${T}.metadata.truncated`, { object: Partial<MessageHeadersObject> }>
  : never

/** One of the notifications that this version knows; a newer server may send others. */
export type VerifiedNotification =
  | Whole<Trigger>
  | Truncated<Trigger>
  | HeadersAlone<'message.created' | 'message.updated'>
