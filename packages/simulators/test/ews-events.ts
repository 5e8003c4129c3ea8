// Handwritten requests for calendar items.
import { expect } from 'vitest'
import type { XmlNode } from '../src/ews/xml/read.ts'
import type { ExchangeSimulator } from '../src/index.ts'
import { type Answer, type Asked, all, ask, codes } from './ews-account.ts'
import { getItem, idXml, itemShape, pathOf, type ShapeWish } from './ews-items.ts'
import { standard } from './ews-requests.ts'

export interface SendWish {
  readonly send?: string | undefined
  readonly folder?: string
}

export function createEvent(
  inside: string,
  { send = 'SendToNone', folder = standard('calendar') }: SendWish = {},
): string {
  const attribute = send === '' ? '' : ` SendMeetingInvitations="${send}"`
  return `<m:CreateItem${attribute}><m:SavedItemFolderId>${folder}</m:SavedItemFolderId><m:Items><t:CalendarItem>${inside}</t:CalendarItem></m:Items></m:CreateItem>`
}

/** Changes, keyed by field URI; undefined deletes the field. */
export function updateEvent(
  id: string,
  changes: Record<string, string | undefined>,
  { send = 'SendToNone' }: SendWish = {},
): string {
  const attribute = send === '' ? '' : ` SendMeetingInvitationsOrCancellations="${send}"`
  const updates = Object.entries(changes).map(([path, written]) =>
    written === undefined
      ? `<t:DeleteItemField>${pathOf(path)}</t:DeleteItemField>`
      : `<t:SetItemField>${pathOf(path)}<t:CalendarItem>${written}</t:CalendarItem></t:SetItemField>`,
  )
  return `<m:UpdateItem ConflictResolution="AlwaysOverwrite"${attribute}><m:ItemChanges><t:ItemChange>${idXml(id)}<t:Updates>${updates.join('')}</t:Updates></t:ItemChange></m:ItemChanges></m:UpdateItem>`
}

export function deleteEvent(
  id: string,
  { send = 'SendToNone', type = 'MoveToDeletedItems' }: SendWish & { type?: string } = {},
): string {
  const attribute = send === '' ? '' : ` SendMeetingCancellations="${send}"`
  return `<m:DeleteItem DeleteType="${type}"${attribute}><m:ItemIds>${idXml(id)}</m:ItemIds></m:DeleteItem>`
}

export const calendarView = (
  from: string,
  to: string,
  wish: ShapeWish & { folder?: string; more?: string } = {},
): string =>
  `<m:FindItem Traversal="Shallow">${itemShape(wish)}<m:CalendarView StartDate="${from}" EndDate="${to}"${wish.more ?? ''}/><m:ParentFolderIds>${wish.folder ?? standard('calendar')}</m:ParentFolderIds></m:FindItem>`

export const times = (start: string, end: string): string => `<t:Start>${start}</t:Start><t:End>${end}</t:End>`

export const attendees = (kind: string, ...addresses: string[]): string =>
  `<t:${kind}>${addresses.map((address) => `<t:Attendee><t:Mailbox><t:EmailAddress>${address}</t:EmailAddress></t:Mailbox></t:Attendee>`).join('')}</t:${kind}>`

export const response = (name: string, id: string, more = ''): string =>
  `<m:CreateItem MessageDisposition="SendAndSaveCopy"><m:Items><t:${name}>${more}<t:ReferenceItemId Id="${id}"/></t:${name}></m:Items></m:CreateItem>`

/** Sends a request that must succeed. */
export async function good(exchange: ExchangeSimulator, body: string, requested: Asked = {}): Promise<Answer> {
  const answer = await ask(exchange, body, requested)
  expect([...new Set(codes(answer))], answer.text).toEqual(['NoError'])
  return answer
}

export async function create(
  exchange: ExchangeSimulator,
  inside: string,
  wish: SendWish & Asked = {},
): Promise<string> {
  const { body } = await good(exchange, createEvent(inside, wish), wish)
  return all(body, 'ItemId')[0]?.attributes.Id ?? ''
}

export async function eventOf(exchange: ExchangeSimulator, id: string, wish: ShapeWish & Asked = {}): Promise<XmlNode> {
  const { body } = await good(exchange, getItem([id], { base: 'AllProperties', ...wish }), wish)
  const [event] = all(body, 'CalendarItem')
  if (event === undefined) throw new Error('There is no CalendarItem in the answer')
  return event
}

/** The texts of a node's children, keyed by name. */
export const fieldsOf = (node: XmlNode | undefined): Record<string, string> =>
  Object.fromEntries((node?.children ?? []).map(({ name, text }) => [name, text]))

export const idOf = (node: XmlNode | undefined): string => all(node, 'ItemId')[0]?.attributes.Id ?? ''
