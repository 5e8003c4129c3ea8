// Handwritten requests for items, and their responses.

import type { XmlNode } from '../src/ews/xml/read.ts'
import type { ExchangeSimulator } from '../src/index.ts'
import { type Answer, type Asked, all, ask, codes } from './ews-account.ts'
import { standard } from './ews-requests.ts'

export interface ShapeWish {
  /** Default `IdOnly`. */
  readonly base?: string
  /** Field URIs, or complete elements. */
  readonly fields?: readonly string[]
  /** Elements between `BaseShape` and `AdditionalProperties`. */
  readonly inside?: string
}

export const pathOf = (field: string): string => (field.startsWith('<') ? field : `<t:FieldURI FieldURI="${field}"/>`)
export const tag = (hex: string, type: string): string =>
  `<t:ExtendedFieldURI PropertyTag="${hex}" PropertyType="${type}"/>`
export const constant = (value: string): string =>
  `<t:FieldURIOrConstant><t:Constant Value="${value}"/></t:FieldURIOrConstant>`
export const is = (name: string, field: string, value: string): string =>
  `<t:${name}>${pathOf(field)}${constant(value)}</t:${name}>`
export const contains = (field: string, value: string, mode = 'Substring', comparison = 'IgnoreCase'): string =>
  `<t:Contains ContainmentMode="${mode}" ContainmentComparison="${comparison}">${pathOf(field)}<t:Constant Value="${value}"/></t:Contains>`

export function itemShape({ base = 'IdOnly', fields = [], inside = '' }: ShapeWish = {}): string {
  const more =
    fields.length === 0 ? '' : `<t:AdditionalProperties>${fields.map(pathOf).join('')}</t:AdditionalProperties>`
  return `<m:ItemShape><t:BaseShape>${base}</t:BaseShape>${inside}${more}</m:ItemShape>`
}

export interface FindWish extends ShapeWish {
  readonly folders?: string
  readonly view?: string
  readonly restriction?: string
  readonly order?: string
  readonly query?: string
  readonly traversal?: string
}

export function findItem(wish: FindWish = {}): string {
  const { folders = standard('inbox'), view = '', restriction, order, query, traversal = 'Shallow' } = wish
  const parts = [
    itemShape(wish),
    view,
    restriction === undefined ? '' : `<m:Restriction>${restriction}</m:Restriction>`,
    order === undefined ? '' : `<m:SortOrder>${order}</m:SortOrder>`,
    `<m:ParentFolderIds>${folders}</m:ParentFolderIds>`,
    query === undefined ? '' : `<m:QueryString>${query}</m:QueryString>`,
  ]
  return `<m:FindItem Traversal="${traversal}">${parts.join('')}</m:FindItem>`
}

export const idXml = (id: string, changeKey?: string): string =>
  `<t:ItemId Id="${id}"${changeKey === undefined ? '' : ` ChangeKey="${changeKey}"`}/>`

export const getItem = (ids: readonly string[], wish: ShapeWish = {}): string =>
  `<m:GetItem>${itemShape(wish)}<m:ItemIds>${ids.map((id) => idXml(id)).join('')}</m:ItemIds></m:GetItem>`

export interface CreateWish {
  readonly disposition?: string
  readonly folder?: string
}

export function createItem(items: string, { disposition = 'SaveOnly', folder }: CreateWish = {}): string {
  const saved = folder === undefined ? '' : `<m:SavedItemFolderId>${standard(folder)}</m:SavedItemFolderId>`
  return `<m:CreateItem MessageDisposition="${disposition}">${saved}<m:Items>${items}</m:Items></m:CreateItem>`
}

export const mailbox = (address: string, name?: string): string =>
  `<t:Mailbox>${name === undefined ? '' : `<t:Name>${name}</t:Name>`}<t:EmailAddress>${address}</t:EmailAddress></t:Mailbox>`

export interface UpdateWish {
  readonly id: string
  readonly changeKey?: string
  readonly resolution?: string
  readonly disposition?: string
}

export function updateItem(updates: string, wish: UpdateWish): string {
  const { id, changeKey, resolution = 'AlwaysOverwrite', disposition = 'SaveOnly' } = wish
  const change = `<t:ItemChange>${idXml(id, changeKey)}<t:Updates>${updates}</t:Updates></t:ItemChange>`
  return `<m:UpdateItem ConflictResolution="${resolution}" MessageDisposition="${disposition}"><m:ItemChanges>${change}</m:ItemChanges></m:UpdateItem>`
}

export const setItemField = (field: string, element: string): string =>
  `<t:SetItemField>${pathOf(field)}<t:Message>${element}</t:Message></t:SetItemField>`

/** The text at a path of names below a node, using the first match at each step. */
export function at(node: XmlNode | undefined, ...names: string[]): string | undefined {
  return names.reduce<XmlNode | undefined>((found, name) => found?.children.find((child) => child.name === name), node)
    ?.text
}

/** The messages in a response. */
export const messagesOf = (answer: Answer): XmlNode[] => all(answer.body, 'Message')
export const subjectsOf = (answer: Answer): (string | undefined)[] =>
  messagesOf(answer).map((each) => at(each, 'Subject'))
export const idsOf = (answer: Answer): { id: string; changeKey: string }[] =>
  all(answer.body, 'ItemId').map(({ attributes }) => ({
    id: attributes.Id ?? '',
    changeKey: attributes.ChangeKey ?? '',
  }))

/** Sends a request, and fails if a response is an error. */
export async function good(exchange: ExchangeSimulator, body: string, requested: Asked = {}): Promise<Answer> {
  const answer = await ask(exchange, body, requested)
  const wrong = codes(answer).filter((code) => code !== 'NoError')
  if (wrong.length > 0 || answer.status !== 200) throw new Error(`${answer.status} ${wrong.join(' ')} ${answer.text}`)
  return answer
}

/** A message with a few headers and a text. */
export function mimeMail(fields: Record<string, string>, text = 'Hello'): string {
  const whole = {
    From: 'Carol <carol@example.net>',
    To: 'ada@exchange.example',
    'Message-ID': `<${crypto.randomUUID()}@example.net>`,
    ...fields,
  }
  const head = Object.entries(whole).map(([name, value]) => `${name}: ${value}`)
  return [...head, '', text].join('\r\n')
}
