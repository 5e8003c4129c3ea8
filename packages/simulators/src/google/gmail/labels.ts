// System labels, which always exist, and user labels.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError, invalidArgument, notFound } from '../errors.ts'
import { isLabelColor } from './label-colors.ts'
import type { Mailbox } from './mailbox.ts'
import type { StoredLabel } from './stored.ts'

/** Labels that the user cannot add to a message or remove from it. */
const fixedLabels = new Set(['SENT', 'DRAFT', 'CHAT'])
const listVisibilities = new Set(['labelShow', 'labelShowIfUnread', 'labelHide'])
const messageVisibilities = new Set(['show', 'hide'])

export function findLabel({ labels }: Mailbox, id: string): StoredLabel {
  const label = labels.get(id)
  if (label === undefined) throw notFound()
  return label
}

/** Validates the label ids of a request: each must exist and be changeable. */
export function changeableLabels({ labels }: Mailbox, ids: unknown): string[] {
  if (ids === undefined) return []
  if (!Array.isArray(ids)) throw invalidArgument('Invalid value for labelIds')
  return ids.map((id) => {
    if (typeof id !== 'string' || !labels.has(id)) throw invalidArgument(`Invalid label: ${id}`)
    if (fixedLabels.has(id)) throw invalidArgument(`Invalid label: ${id}`)
    return id
  })
}

export function createLabel(mailbox: Mailbox, body: JsonObject): StoredLabel {
  const label: StoredLabel = { id: mailbox.nextLabelId(), name: checkName(mailbox, body.name, undefined), type: 'user' }
  applySettings(label, body)
  mailbox.labels.set(label.id, label)
  return label
}

export function updateLabel(mailbox: Mailbox, id: string, body: JsonObject): StoredLabel {
  const label = findLabel(mailbox, id)
  if (label.type === 'system') throw invalidArgument('Invalid update request')
  if (body.id !== undefined && body.id !== id) throw invalidArgument('Label ID in body does not match the path')
  if (body.name !== undefined) label.name = checkName(mailbox, body.name, id)
  applySettings(label, body)
  return label
}

export function deleteLabel(mailbox: Mailbox, id: string): void {
  if (findLabel(mailbox, id).type === 'system') throw invalidArgument('Invalid delete request')
  for (const message of mailbox.messages.values()) mailbox.relabel(message, [], [id])
  mailbox.labels.delete(id)
}

/** A label as `labels.list` returns it. */
export function labelSummary({
  id,
  name,
  type,
  messageListVisibility,
  labelListVisibility,
  color,
}: StoredLabel): JsonObject {
  return {
    id,
    name,
    ...(messageListVisibility && { messageListVisibility }),
    ...(labelListVisibility && { labelListVisibility }),
    type,
    ...(color && { color }),
  }
}

/** A label as `labels.get` returns it: the summary with counts. */
export function labelResource({ messages }: Mailbox, label: StoredLabel): JsonObject {
  const labelled = [...messages.values()].filter(({ labels }) => labels.has(label.id))
  const unread = labelled.filter(({ labels }) => labels.has('UNREAD'))
  return {
    ...labelSummary(label),
    messagesTotal: labelled.length,
    messagesUnread: unread.length,
    threadsTotal: new Set(labelled.map(({ threadId }) => threadId)).size,
    threadsUnread: new Set(unread.map(({ threadId }) => threadId)).size,
  }
}

function checkName({ labels }: Mailbox, name: unknown, ownId: string | undefined): string {
  if (typeof name !== 'string' || name.trim() === '' || name.length > 225 || /^\/|\/$|\/\//.test(name)) {
    throw invalidArgument('Invalid label name')
  }
  for (const label of labels.values()) {
    if (label.id === ownId || label.name.toLowerCase() !== name.toLowerCase()) continue
    if (label.type === 'system') throw invalidArgument('Invalid label name')
    throw new GoogleError(409, 'aborted', 'Label name exists or conflicts', { status: 'ABORTED' })
  }
  return name
}

function applySettings(label: StoredLabel, body: JsonObject): void {
  const { labelListVisibility: list, messageListVisibility: message, color } = body
  if (list !== undefined && !listVisibilities.has(String(list))) {
    throw invalidArgument(`Invalid value at 'label.label_list_visibility', "${list}"`)
  }
  if (message !== undefined && !messageVisibilities.has(String(message))) {
    throw invalidArgument(`Invalid value at 'label.message_list_visibility', "${message}"`)
  }
  if (list !== undefined) label.labelListVisibility = String(list)
  if (message !== undefined) label.messageListVisibility = String(message)
  if (color !== undefined) label.color = checkColor(color)
}

function checkColor(color: unknown): { textColor: string; backgroundColor: string } {
  const { textColor, backgroundColor } = isObject(color) ? color : {}
  for (const value of [textColor, backgroundColor]) {
    if (typeof value !== 'string' || !isLabelColor(value)) {
      throw invalidArgument(`Label color ${value} is not on the allowed color palette`)
    }
  }
  return { textColor: String(textColor), backgroundColor: String(backgroundColor) }
}
