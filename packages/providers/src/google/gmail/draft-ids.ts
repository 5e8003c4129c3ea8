/** Drafts have ids of their own, in addition to those of their messages. Only lists of drafts contain both. */
import { object, readableItems, text } from '@waypost/platform/json/reader'
import type { Session } from '../session.ts'
import { gmailId, isMetadataOnly, me } from './gmail-api.ts'

const draft = object({ id: gmailId, message: object({ id: gmailId }, {}) }, {})
const answer = object({}, { drafts: readableItems(draft), nextPageToken: text })

const perPage = 500
const maxPages = 10

/** The draft ids of messages that are drafts. */
export async function draftIdsOf(session: Session, messageIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = new Set(isMetadataOnly(session) ? [] : messageIds)
  const found = new Map<string, string>()
  let pageToken: string | undefined
  for (let page = 0; page < maxPages && found.size < wanted.size; page++) {
    const query = {
      maxResults: perPage,
      pageToken,
      includeSpamTrash: true,
      fields: 'drafts(id,message/id),nextPageToken',
    }
    const { drafts = [], nextPageToken } = await session.call('gmail', 'GET', `${me}/drafts`, { query, read: answer })
    for (const { id, message } of drafts) if (wanted.has(message.id)) found.set(message.id, id)
    if (!nextPageToken) break
    pageToken = nextPageToken
  }
  return found
}
