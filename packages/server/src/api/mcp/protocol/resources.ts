/**
 * Resources: the newest messages and the next events of each grant. Their content is that of the tools, so text of others is
 * marked in the same way.
 */
import type { KeyOperation } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { hasOperation } from '../../../applications/key-rights.ts'
import { callRoute } from '../../pipeline/internal-call.ts'
import type { Exchange, MethodAnswer, MethodCall } from './exchange.ts'
import { codes, invalidParams, ProtocolFault } from './faults.ts'
import { missingRights } from './mcp-caller.ts'
import { listTtlMs } from './tool-list.ts'

export type ResourceKind = 'messages' | 'events'

interface KindFacts {
  title: string
  description: string
  operation: KeyOperation
  /** The tool that reads it. */
  tool: string
}

const kinds: Record<ResourceKind, KindFacts> = {
  messages: {
    title: 'Newest messages',
    description: 'The newest messages of the account. Subscribe to be notified of new and changed mail',
    operation: 'mail.read',
    tool: 'find_messages',
  },
  events: {
    title: 'Next events',
    description: 'The next events of the account. Subscribe to be notified of new and changed events',
    operation: 'calendar.read',
    tool: 'find_events',
  },
}
const kindNames = Object.keys(kinds) as ResourceKind[]

/** Rows in a resource. */
const rows = 10
/** Grants in a page of the list; each has a resource of each kind. */
const grantsPerPage = 50

export interface ResourceName {
  uri: string
  grantId: string
  kind: ResourceKind
}

const form = /^waypost:\/\/grants\/([0-9a-f-]{36})\/(messages|events)$/

export function readUri(uri: JsonValue | undefined): ResourceName | undefined {
  const [, grantId, kind] = typeof uri === 'string' ? (form.exec(uri) ?? []) : []
  return grantId === undefined ? undefined : { uri: String(uri), grantId, kind: kind as ResourceKind }
}

const uriOf = (grantId: string, kind: ResourceKind): string => `waypost://grants/${grantId}/${kind}`

const mayRead = ({ caller }: Exchange, kind: ResourceKind): boolean =>
  hasOperation(caller.credential, kinds[kind].operation)

const shared = { ttlMs: listTtlMs, cacheScope: 'private' } as const
const mimeType = 'text/plain'

export function listTemplates(call: MethodCall): MethodAnswer {
  const resourceTemplates = kindNames
    .filter((kind) => mayRead(call, kind))
    .map((kind) => ({
      uriTemplate: uriOf('{grant_id}', kind),
      name: kind,
      title: kinds[kind].title,
      description: kinds[kind].description,
      mimeType,
    }))
  return { result: { resourceTemplates, ...(call.generation === 'modern' ? shared : undefined) } }
}

export async function listResources(call: MethodCall): Promise<MethodAnswer> {
  const { cursor } = call.message.params
  const offset = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw invalidParams('cursor: must be nextCursor of an earlier result')
  const readable = kindNames.filter((kind) => mayRead(call, kind))
  const { status, body } = await callRoute(call.mcp.api, {
    id: 'grants.list',
    caller: call.caller,
    query: { limit: grantsPerPage, offset },
    address: call.presented.address,
    signal: call.request.signal,
  })
  if (status !== 200 || !Array.isArray(body.data)) throw unavailable()
  const grants = body.data as { id: string; email?: string; name?: string }[]
  const resources = grants.flatMap(({ id, email, name }) =>
    readable.map((kind) => ({
      uri: uriOf(id, kind),
      name: `${kind} of ${email ?? name ?? id}`,
      title: `${kinds[kind].title}: ${email ?? name ?? id}`,
      mimeType,
    })),
  )
  const more = grants.length === grantsPerPage ? { nextCursor: String(offset + grantsPerPage) } : undefined
  return { result: { resources, ...more, ...(call.generation === 'modern' ? shared : undefined) } }
}

/** Finds a resource that the caller may read. Others look like resources that do not exist. */
export async function needResource(exchange: Exchange, uri: JsonValue | undefined): Promise<ResourceName> {
  const named = readUri(uri)
  if (!named) throw noResource(exchange, uri)
  if (!mayRead(exchange, named.kind)) throw missingRights(exchange.presented, [kinds[named.kind].operation])
  const { status } = await callRoute(exchange.mcp.api, {
    id: 'grants.get',
    caller: exchange.caller,
    params: { grant_id: named.grantId },
    address: exchange.presented.address,
    signal: exchange.request.signal,
  })
  if (status === 404) throw noResource(exchange, uri)
  if (status !== 200) throw unavailable()
  return named
}

const noResource = ({ generation }: Exchange, uri: JsonValue | undefined): ProtocolFault =>
  new ProtocolFault(generation === 'modern' ? codes.invalidParams : codes.resourceNotFound, 'Resource not found', {
    status: 200,
    data: { uri: typeof uri === 'string' ? uri.slice(0, 200) : null },
  })

const unavailable = (): ProtocolFault =>
  new ProtocolFault(codes.internalError, 'the grants cannot be read now: try again', { status: 200 })

export async function readResource(call: MethodCall): Promise<MethodAnswer> {
  const { mcp, caller, presented, request } = call
  const named = await needResource(call, call.message.params.uri)
  const tool = mcp.tools.find(({ name }) => name === kinds[named.kind].tool)
  if (!tool) throw noResource(call, named.uri)
  const context = { api: mcp.api, caller, address: presented.address, signal: request.signal }
  const { content, isError } = await tool.call(context, await argsFor(call, named))
  const text = content.map((part) => part.text).join('\n')
  if (isError) throw new ProtocolFault(codes.internalError, text.slice(0, 1_000), { status: 200 })
  const contents = [{ uri: named.uri, mimeType, text }]
  const modern = { ttlMs: 0, cacheScope: 'private' }
  return { result: { contents, ...(call.generation === 'modern' ? modern : undefined) } }
}

async function argsFor(exchange: Exchange, { grantId, kind }: ResourceName): Promise<object> {
  const page = { grant_id: grantId, limit: rows }
  return kind === 'messages' ? page : { ...page, calendar_id: await mainCalendar(exchange, grantId) }
}

/** The primary calendar of a grant. Virtual accounts have none, so their first one takes its place. */
async function mainCalendar({ mcp, caller, presented, request }: Exchange, grantId: string): Promise<string> {
  const { body } = await callRoute(mcp.api, {
    id: 'calendars.list',
    caller,
    params: { grant_id: grantId },
    address: presented.address,
    signal: request.signal,
  })
  const calendars = Array.isArray(body.data) ? (body.data as { id: string; is_primary?: boolean }[]) : []
  return (calendars.find(({ is_primary }) => is_primary) ?? calendars[0])?.id ?? 'primary'
}
