/** Finds the message that a reply refers to, by its id in the API or by its Message-ID. */
import type { Message } from '@waypost/contract'
import { readMessageIds } from '@waypost/formats/mime/addresses'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Database } from '@waypost/store/engine/database'
import type { Sessions } from '../../grants/sessions.ts'
import type { Order } from '../sending.ts'
import { isMessageId, type Parent } from './reply.ts'

const headerOf = ({ headers = [] }: Message, wanted: string): string =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? ''

/** The fields that a reply needs; undefined if the message is no reply. */
export async function findParent(
  { sessions, database }: { sessions: Sessions; database: Database },
  { grant, signal, calls }: Order,
  id: string | undefined,
): Promise<Parent | undefined> {
  if (id === undefined) return undefined
  const bare = id.replace(/^<(.*)>$/, '$1')
  const use = { queries: database, signal: () => signal, responseHeaders: {}, calls }
  const read = sessions.bind(grant, { resource: 'messages', operation: 'get' }, use)
  try {
    const found = (await read({ message_id: id, fields: 'include_basic_headers' })) as Message
    const [messageId] = readMessageIds(headerOf(found, 'message-id'))
    const references = readMessageIds(headerOf(found, 'references'))
    const parents = references.length > 0 ? references : readMessageIds(headerOf(found, 'in-reply-to')).slice(0, 1)
    // Without a Message-ID, the reply is threaded by the parent's own references and subject.
    return { ...(messageId === undefined ? {} : { messageId }), references: parents, subject: found.subject ?? '' }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    // A Message-ID is enough for threading; mail clients find the parent's references through it.
    if (bare.includes('@') && isMessageId(bare)) return { messageId: bare, references: [], subject: '' }
    throw invalidField('reply_to_message_id', 'is neither the id of a message of this account nor a Message-ID')
  }
}
