/** A notification with the object of its trigger: `type` determines it, also for the compiler. */
import type { MessageHeadersObject, Notification, Trigger, TriggerData, TriggerObjects } from './generated/types.ts'

type ObjectOf<T extends Trigger> = TriggerObjects[T]
/** Fields next to the object; none for most triggers. */
type Beside<T extends Trigger> = T extends keyof TriggerData ? TriggerData[T] : unknown

type Envelope<Type extends string, Data> = Omit<Notification, 'type' | 'data'> & {
  type: Type
  data: { application_id: string } & Data
}

type Whole<T extends Trigger> = T extends Trigger ? Envelope<T, { object: ObjectOf<T> } & Beside<T>> : never
/** Large fields were omitted; fetch them from the API with the remaining ids. */
type Truncated<T extends Trigger> = T extends Trigger
  ? Envelope<`${T}.truncated`, { object: Partial<ObjectOf<T>> } & Partial<Beside<T>>>
  : never

/** The scopes of the account only allow reading headers. */
type HeadersOnly<T extends Trigger> = T extends Trigger
  ?
      | Envelope<`${T}.metadata`, { object: MessageHeadersObject }>
      | Envelope<`${T}.metadata.truncated`, { object: Partial<MessageHeadersObject> }>
  : never

/** Any notification that this version knows; a newer server may send others. */
export type VerifiedNotification =
  | Whole<Trigger>
  | Truncated<Trigger>
  | HeadersOnly<'message.created' | 'message.updated'>
