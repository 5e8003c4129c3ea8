/** The object of `message.created.cleaned`: a new message whose body is its cleaned text as Markdown. */
import { type Message, MessageClean } from '@waypost/contract'
import type { CleanInput } from '@waypost/formats/parse-worker'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { Change } from '@waypost/providers/provider'

export type MessageCame = Extract<Change, { trigger: 'message.created' }>

/** The fields of a message that cleaning sets. */
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
