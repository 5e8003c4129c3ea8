/**
 * The names of sent messages: some servers give what is sent another Message-ID than it was handed over with, and it is theirs
 * that answers and reports name. The one of ours stands in a header of the copy in Sent Items.
 */
import { readMessageIds } from '../../../formats/mime-addresses.ts'
import { list, nonEmptyText, object, type Read, text } from '../../../lib/json-reader.ts'
import { listOf } from '../graph-pages.ts'
import { foundOf, type Mailbox, quoted } from './mail-api.ts'

/** Carries the Message-ID that a message was sent under here. */
export const ownName = 'X-Waypost-Message-ID'

/** What is asked of a sent message. */
export const sentHeaders = object(
  { id: nonEmptyText },
  { internetMessageId: text, internetMessageHeaders: list(object({ name: text }, { value: text })) },
)

/** The name that a message was sent under here, without brackets. */
export const sentUnder = ({ internetMessageHeaders: headers = [] }: Read<typeof sentHeaders>): string | undefined =>
  readMessageIds(headers.find(({ name }) => name.toLowerCase() === ownName.toLowerCase())?.value ?? '')[0]

export const sentPath = (mailbox: Mailbox): string => mailbox.path('mailFolders/sentitems/messages')

/** The filter that finds a message by its Message-ID. */
export const namedBy = (messageId: string): string => `internetMessageId eq ${quoted(`<${messageId}>`)}`

/** So many are looked up at a time. */
const mostLookedUp = 40

/** The names that messages were sent under here, by those that they have by now; of messages that kept theirs nothing. */
export async function originalNames(mailbox: Mailbox, messageIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(messageIds)].slice(0, mostLookedUp)
  if (wanted.length === 0) return new Map()
  const calls = wanted.map((messageId) => ({
    path: sentPath(mailbox),
    query: { $filter: namedBy(messageId), $select: 'id,internetMessageId,internetMessageHeaders', $top: 1 },
  }))
  const found = foundOf(await mailbox.session.batch(calls, listOf(sentHeaders))).flatMap(({ value }) => value)
  return new Map(
    found.flatMap((message) => {
      const [name] = readMessageIds(message.internetMessageId ?? '')
      const original = sentUnder(message)
      return name !== undefined && original !== undefined && original !== name ? [[name, original] as const] : []
    }),
  )
}
