/** Messages that came or changed, as they are told. */
import { readMessageIds } from '../../../formats/mime/addresses.ts'
import { answeredBy } from '../../mail/arrivals.ts'
import { type MessageChange, messageChanges } from '../../mail/message-notifications.ts'
import type { GraphMessage, Mailbox } from './mail-api.ts'
import { standard, type Wanted, withProperties } from './mapping/properties.ts'
import { messageOf } from './messages.ts'
import { readMessages, readSources } from './reading.ts'
import { originalNames } from './sent-names.ts'

interface ToTell {
  come: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
}

const wanted: Wanted = withProperties(standard, ['isDraft', 'internetMessageId', 'internetMessageHeaders'])

/** Tells of messages as they are now; drafts, those that are gone, and older ones than the grant are left out. */
export async function messageNotifications(
  mailbox: Mailbox,
  { come, changed, notBefore }: ToTell,
): Promise<MessageChange[]> {
  const { grant, io } = mailbox.session
  const came = new Set(come)
  const read = await readMessages(mailbox, [...come, ...changed], wanted)
  const fresh = read.map((source) => {
    const message = messageOf(mailbox, source)
    return {
      message,
      isNew: came.has(message.id),
      isDraft: source.isDraft ?? false,
      messageId: readMessageIds(source.internetMessageId ?? '')[0],
      references: referencesOf(source),
    }
  })
  return messageChanges(fresh, {
    grant,
    io,
    notBefore,
    async sourcesOf(messages) {
      const sources = await readSources(
        mailbox,
        messages.map(({ id }) => id),
      )
      return [...sources].map(([id, source]) => ({ id, source }))
    },
    originalNames: (messageIds) => originalNames(mailbox, messageIds),
  })
}

const referencesOf = ({ internetMessageHeaders: headers = [] }: GraphMessage): string[] => {
  const idsIn = (wantedName: string): string[] =>
    readMessageIds(headers.find(({ name }) => name.toLowerCase() === wantedName)?.value ?? '')
  return answeredBy(idsIn('references'), idsIn('in-reply-to')[0])
}
