// The history of a mailbox, as `history.list` returns it.
// https://developers.google.com/workspace/gmail/api/guides/sync

import type { JsonObject } from '../../shared/http.ts'
import { invalidArgument, notFound } from '../errors.ts'
import { type ApiCall, integerOf } from '../http.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailChange } from './stored.ts'

const FIELDS = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved',
} as const

export function listHistory(mailbox: Mailbox, { query }: ApiCall): JsonObject {
  const start = query.get('startHistoryId') ?? ''
  if (!/^\d+$/.test(start)) throw invalidArgument('Missing startHistoryId')
  if (Number(start) < mailbox.forgottenUpTo) throw notFound()
  const token = query.get('pageToken')
  if (token !== null && !/^\d+$/.test(token)) throw invalidArgument('Invalid pageToken')
  const types = query.getAll('historyTypes')
  for (const type of types) if (!(type in FIELDS)) throw invalidArgument(`Invalid value at 'history_types', "${type}"`)
  const labelId = query.get('labelId')
  const max = integerOf(query, 'maxResults', { fallback: 100, max: 500 })
  const after = Math.max(Number(start), Number(token ?? 0))
  const changes = mailbox.history.filter(
    (change) =>
      change.historyId > after &&
      (types.length === 0 || types.includes(change.type)) &&
      (labelId === null || change.labels.has(labelId) || change.labelIds.includes(labelId)),
  )
  const page = changes.slice(0, max)
  const last = page.at(-1)
  return {
    ...(page.length > 0 && { history: page.map(historyRecord) }),
    ...(last && page.length < changes.length && { nextPageToken: String(last.historyId) }),
    historyId: String(mailbox.historyId),
  }
}

function historyRecord({ historyId, type, id, threadId, labelIds, labels }: MailChange): JsonObject {
  const isLabelChange = type === 'labelAdded' || type === 'labelRemoved'
  return {
    id: String(historyId),
    messages: [{ id, threadId }],
    [FIELDS[type]]: [{ message: { id, threadId, labelIds: [...labels] }, ...(isLabelChange && { labelIds }) }],
  }
}
