// Checks responses of the simulated Graph against Microsoft's published types (CSDL): every property is known and of
// its type. The types are not part of this repository: they are read from `../shared/schemas` next to it. Without
// them, nothing is checked (`hasGraphTypes` is false).
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Exchange } from '../src/index.ts'

const FILE = path.join(import.meta.dirname, '../../../../shared/schemas/graph-slice.json')

/** The response type of a path, by its last segments; undefined for paths that the types omit. */
const KINDS: readonly (readonly [RegExp, string | undefined])[] = [
  [/\/translateExchangeIds$|\/revokeSignInSessions$/, undefined],
  [/\/people$|\/photo$|\/onlineMeetings\b|\/supportedTimeZones\b/, undefined],
  [/^\/v1\.0\/places(?:.*\/microsoft\.graph\.room|.*\/rooms|\/[^/]+@[^/]+)$/, 'room'],
  [/^\/v1\.0\/places\/microsoft\.graph\.roomList$/, 'roomList'],
  [/\/contactFolders\/[^/]+\/childFolders(?:\/[^/]+)?$/, 'contactFolder'],
  [/\/subscriptions(\/[^/]+)?$/, 'subscription'],
  [/\/createUploadSession$/, 'uploadSession'],
  [/\/attachments(\/[^/]+)?$/, 'attachment'],
  [/\/mailFolders\/[^/]+\/(?:move|copy)$/, 'mailFolder'],
  [/\/(?:mailFolders|childFolders)(?:\/delta|\/[^/]+)?$/, 'mailFolder'],
  [/\/messages\/[^/]+\/(?:move|copy|createReply|createReplyAll|createForward)$/, 'message'],
  [/\/messages(?:\/delta|\/[^/]+)?$/, 'message'],
  [/\/masterCategories(?:\/[^/]+)?$/, 'outlookCategory'],
  [/\/mailboxSettings$/, 'mailboxSettings'],
  [/\/getSchedule$/, 'scheduleInformation'],
  [/\/calendarGroups(?:\/[^/]+)?$/, 'calendarGroup'],
  [/\/(?:calendarView|events|instances)(?:\/delta|\/[^/]+)?$/, 'event'],
  [/\/calendars(?:\/[^/]+)?$|\/calendar$/, 'calendar'],
  [/\/contactFolders(?:\/delta|\/[^/]+)?$/, 'contactFolder'],
  [/\/contacts(?:\/delta|\/[^/]+)?$/, 'contact'],
  [/^\/v1\.0\/me$|\/users(?:\/[^/]+)?$/, 'user'],
]

/** Properties that Graph returns although its types do not declare them. */
const UNDECLARED = [
  'event.occurrenceId',
  'scheduleItem.isMeeting',
  'scheduleItem.isRecurring',
  'scheduleItem.isException',
  'scheduleItem.isReminderSet',
]

interface Property {
  readonly $Type?: string
  readonly $Collection?: boolean
  readonly $Nullable?: boolean
  readonly $Kind?: string
}

interface GraphType {
  readonly $Kind: 'EntityType' | 'ComplexType' | 'EnumType'
  readonly $BaseType?: string
  readonly $OpenType?: boolean
  readonly [name: string]: unknown
}

export const hasGraphTypes = existsSync(FILE)

let types: Record<string, GraphType> | undefined

/** Throws all problems if a response does not match. Error responses must have Graph's error format. */
export function checkGraphExchange({ method, path: called, status, responseHeaders, responseBody }: Exchange): void {
  if (!hasGraphTypes || !called.startsWith('/v1.0/') || called.endsWith('$batch') || responseBody.length === 0) return
  if (!(responseHeaders['content-type'] ?? '').includes('application/json')) return
  const problems: string[] = []
  const value: unknown = JSON.parse(new TextDecoder().decode(responseBody))
  if (status >= 400) checkError(value, problems)
  else {
    const kind = kindOf(called)
    if (kind !== undefined) checkAnswer(kind, value, problems)
  }
  if (problems.length > 0) throw new Error(`${method} ${called}:\n  ${problems.join('\n  ')}`)
}

function kindOf(called: string): string | undefined {
  const plain = decodeURIComponent(called)
    .replace(/\('([^']*)'\)/g, '/$1')
    .replace(/\(\)/g, '')
  const known = KINDS.find(([pattern]) => pattern.test(plain))
  if (known === undefined) throw new Error(`${called}: of no known kind`)
  return known[1]
}

function checkError(value: unknown, problems: string[]): void {
  const { error } = value as { error?: { code?: unknown; message?: unknown } }
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') problems.push('no error of Graph')
}

function checkAnswer(kind: string, value: unknown, problems: string[]): void {
  const list = (value as { value?: unknown }).value
  if (Array.isArray(list))
    for (const [index, item] of list.entries()) checkType(kind, item, `value[${index}]`, problems)
  else checkType(kind, value, 'answer', problems)
}

/** Checks a value against a Graph type. */
export function checkType(name: string, value: unknown, at: string, problems: string[]): void {
  const annotated = (value as Record<string, unknown> | null)?.['@odata.type']
  const typeName = typeof annotated === 'string' ? annotated.replace(/^#microsoft\.graph\./i, '') : name
  const type = typeOf(typeName)
  if (type === undefined) {
    if (!name.includes('extension') && !name.endsWith('LegacyExtendedProperty'))
      problems.push(`${at}: unknown type ${typeName}`)
    return
  }
  if (type.$Kind === 'EnumType') {
    if (typeof value !== 'string' || !(value in type)) problems.push(`${at}: ${String(value)} is no ${typeName}`)
    return
  }
  if (typeof value !== 'object' || value === null) {
    problems.push(`${at}: ${String(value)} is no ${typeName}`)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith('@') || key.includes('@odata.') || UNDECLARED.includes(`${typeName}.${key}`)) continue
    const property = propertyOf(type, key)
    if (property === undefined) problems.push(`${at}: ${typeName} has no ${key}`)
    else checkProperty(property, item, `${at}.${key}`, problems)
  }
}

function checkProperty(property: Property, value: unknown, at: string, problems: string[]): void {
  if (property.$Collection === true) {
    if (!Array.isArray(value)) problems.push(`${at}: no list`)
    else for (const [index, item] of value.entries()) checkScalar(property, item, `${at}[${index}]`, problems)
    return
  }
  if (value === null) {
    if (property.$Nullable !== true) problems.push(`${at}: null`)
    return
  }
  checkScalar(property, value, at, problems)
}

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Int32': (value) => Number.isInteger(value),
  'Edm.Int64': (value) => Number.isInteger(value),
  'Edm.Double': (value) => typeof value === 'number',
  'Edm.Binary': (value) => typeof value === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value),
  'Edm.Guid': (value) => typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  'Edm.Date': (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
  'Edm.TimeOfDay': (value) => typeof value === 'string' && /^\d{2}:\d{2}:\d{2}(?:\.\d+)?$/.test(value),
  'Edm.Duration': (value) => typeof value === 'string' && value.startsWith('P'),
  'Edm.DateTimeOffset': (value) =>
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(value),
}

function checkScalar({ $Type = 'Edm.String' }: Property, value: unknown, at: string, problems: string[]): void {
  if ($Type.startsWith('graph.')) {
    checkType($Type.slice('graph.'.length), value, at, problems)
    return
  }
  const fits = SCALARS[$Type]
  if (fits === undefined) problems.push(`${at}: unknown type ${$Type}`)
  else if (!fits(value)) problems.push(`${at}: ${JSON.stringify(value)} is no ${$Type}`)
}

function typeOf(name: string): GraphType | undefined {
  types ??= JSON.parse(readFileSync(FILE, 'utf8')).types as Record<string, GraphType>
  // Names inside `@odata.type` ignore case.
  return types[name] ?? Object.entries(types).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

function propertyOf(type: GraphType, key: string): Property | undefined {
  const own = type[key]
  if (own !== undefined && !key.startsWith('$')) return own as Property
  if (type.$BaseType === undefined) return undefined
  const base = typeOf(type.$BaseType.slice('graph.'.length))
  // Only the id of the directory's own base types is used.
  if (base === undefined) return key === 'id' ? {} : undefined
  return propertyOf(base, key)
}
