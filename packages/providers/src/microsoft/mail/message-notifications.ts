/** Messages that arrived or changed, by Graph. */

import { readMessageIds } from '@waypost/formats/mime/addresses'
import { list, nonEmptyText, object, text } from '@waypost/platform/json/reader'
import { changedNames, maxNamesLookedUp, type NotifiedMail } from '../../mail/exchange/message-notifications.ts'
import { sentUnder } from '../../mail/sent-name.ts'
import { listOf } from '../graph-pages.ts'
import { isDraft } from './exchange-mail.ts'
import { foundOf, type GraphMessage, type Mailbox, quoted } from './mail-api.ts'
import { isHtml } from './mapping/message.ts'
import { type MessageQuery, standard, withProperties } from './mapping/properties.ts'
import { messageOf, readMessages, readSources } from './reading.ts'

/** The requested fields of a sent message. */
export const sentHeaders = object(
  { id: nonEmptyText },
  { internetMessageId: text, internetMessageHeaders: list(object({ name: text }, { value: text })) },
)

export const sentPath = (mailbox: Mailbox): string => mailbox.path('mailFolders/sentitems/messages')

/** The filter that finds a message by its Message-ID. */
export const namedBy = (messageId: string): string => `internetMessageId eq ${quoted(`<${messageId}>`)}`

/** The names that messages were sent under, by their current names. Unchanged names are left out. */
export async function originalNames(mailbox: Mailbox, messageIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(messageIds)].slice(0, maxNamesLookedUp)
  if (wanted.length === 0) return new Map()
  const calls = wanted.map((messageId) => ({
    path: sentPath(mailbox),
    query: { $filter: namedBy(messageId), $select: 'id,internetMessageId,internetMessageHeaders', $top: 1 },
  }))
  const found = foundOf(await mailbox.session.batch(calls, listOf(sentHeaders))).flatMap(({ value }) => value)
  return changedNames(
    found.map(({ internetMessageId = '', internetMessageHeaders: headers = [] }) => ({
      name: readMessageIds(internetMessageId)[0],
      original: sentUnder(headers),
    })),
  )
}

const wanted: MessageQuery = withProperties(standard, ['isDraft', 'internetMessageId', 'internetMessageHeaders'])

export const notifiedMail: NotifiedMail<Mailbox, GraphMessage> = {
  messageOf,
  isDraft,
  isHtml,
  listedIdOf: ({ id }) => id,
  namingHeadersOf({ internetMessageId, internetMessageHeaders: headers = [] }) {
    const headerText = (wantedName: string): string | undefined =>
      headers.find(({ name }) => name.toLowerCase() === wantedName)?.value
    return { messageId: internetMessageId, references: headerText('references'), inReplyTo: headerText('in-reply-to') }
  },
  readListed: (mailbox, ids) => readMessages(mailbox, ids, wanted),
  sourcesOf: (mailbox, messages) =>
    readSources(
      mailbox,
      messages.map(({ id }) => id),
    ),
  originalNames,
}
