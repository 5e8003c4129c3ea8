/**
 * `subscriptions/listen`: a stream that says when resources of the caller change, or its tools. It is fed by the notifications
 * of the application, so it works at every node. The credential is read again before every message and every few seconds:
 * a stream ends when its credential is revoked, and drops resources that it may no longer read.
 */
import { sleep } from '@waypost/platform/clock'
import { extendNotificationStream } from '@waypost/store/tables/applications/applications'
import { newestOfStream, type StreamPosition } from '@waypost/store/tables/notifications/notification-stream'
import type { EventSink } from '../../http/event-stream.ts'
import { metaKeys } from './envelope.ts'
import type { Exchange, MethodAnswer, MethodCall } from './exchange.ts'
import { codes, invalidParams, ProtocolFault } from './faults.ts'
import { isObject, type MessageId, notificationText, type Params, resultText } from './json-rpc.ts'
import { findMcpCaller } from './mcp-caller.ts'
import { needResource, type ResourceKind, type ResourceName } from './resources.ts'

/** Streams that a credential may have open at a node. */
export const maxStreams = 4
/** Resources of a stream. */
export const maxUris = 20
/** For how long notifications are stored for a stream; every check extends it. */
const storedMs = 10 * 60_000
/** How long one look for notifications waits. */
const waitMs = 10_000

const triggers: Record<ResourceKind, readonly string[]> = {
  messages: ['message.created', 'message.updated'],
  events: ['event.created', 'event.updated', 'event.deleted'],
}
/** Notifications that are too long, or lack rights, have a suffix. */
const suffixes = ['', '.truncated', '.metadata', '.transformed', '.transformed.truncated']
const typesOf = (kind: ResourceKind): string[] =>
  triggers[kind].flatMap((trigger) => suffixes.map((suffix) => trigger + suffix))

interface StreamFilter {
  resources: readonly ResourceName[]
  tools: boolean
}

export async function listen(call: MethodCall): Promise<MethodAnswer> {
  const wanted = await wantedBy(call)
  const { mcp, caller } = call
  const { id: applicationId } = caller
  const after = await newestOfStream(mcp.api.storage.database, mcp.api.storage.database.engine, applicationId)
  if (wanted.resources.length > 0) await keepStored(call)
  const leave = mcp.streams.take(`${applicationId} ${caller.credential.id}`)
  if (!leave) {
    const data = { type: 'rate_limited' }
    throw new ProtocolFault(429, `at most ${maxStreams} streams per credential: close one`, { status: 429, data })
  }
  return {
    produce: async (sink) => {
      try {
        await deliver(call, { wanted, after }, sink)
      } finally {
        leave()
      }
    },
  }
}

async function wantedBy(call: MethodCall): Promise<StreamFilter> {
  const { notifications } = call.message.params
  if (!isObject(notifications)) throw invalidParams('notifications: must be an object with what to listen to')
  const { resourceSubscriptions: uris = [], toolsListChanged } = notifications
  if (!Array.isArray(uris)) throw invalidParams('notifications.resourceSubscriptions: must be a list of URIs')
  if (uris.length > maxUris) throw invalidParams(`notifications.resourceSubscriptions: at most ${maxUris} URIs`)
  const resources: ResourceName[] = []
  for (const uri of new Set(uris)) resources.push(await needResource(call, uri))
  return { resources, tools: toolsListChanged === true }
}

/** Has the notifications of the application stored while somebody listens. */
async function keepStored({ mcp: { api }, caller }: Exchange): Promise<void> {
  await extendNotificationStream(api.storage.database, caller.id, api.storage.clock.now() + storedMs)
}

const aboutStream = (id: MessageId): Params => ({ _meta: { [metaKeys.subscription]: id } })

async function deliver(
  call: MethodCall,
  { wanted, after }: { wanted: StreamFilter; after: StreamPosition },
  sink: EventSink,
): Promise<void> {
  const { mcp, message } = call
  const about = aboutStream(message.id)
  const uris = wanted.resources.map(({ uri }) => uri)
  const notifications = {
    ...(wanted.tools ? { toolsListChanged: true } : undefined),
    ...(uris.length > 0 ? { resourceSubscriptions: uris } : undefined),
  }
  sink.send({ data: notificationText('notifications/subscriptions/acknowledged', { ...about, notifications }) })
  const ended = new AbortController()
  const signal = AbortSignal.any([sink.signal, mcp.stopping, ended.signal])
  const stream: Stream = { call, sink, signal, usable: new Set(uris), end: () => ended.abort() }
  const byGrant = Map.groupBy(wanted.resources, ({ grantId }) => grantId)
  const followed = [...byGrant].map(([grantId, resources]) => follow(stream, { grantId, resources, after }))
  await Promise.all([watchCredential(stream, wanted.tools), ...followed])
  sink.send({ data: resultText(message.id, JSON.stringify({ resultType: 'complete', ...about })) })
}

interface Stream {
  call: MethodCall
  sink: EventSink
  signal: AbortSignal
  /** The URIs that the credential may read still. */
  usable: Set<string>
  end(): void
}

/** Whether the credential is valid. Ends the stream if it is not, and forgets resources that are out of reach. */
async function check(stream: Stream): Promise<Exchange | undefined> {
  const { call, usable, signal } = stream
  try {
    const caller = await findMcpCaller(call.mcp.api.authentication, call.presented)
    const now: Exchange = { ...call, caller }
    for (const uri of usable) {
      await needResource(now, uri).catch((error) => {
        if (error instanceof ProtocolFault && error.code !== codes.internalError) usable.delete(uri)
      })
    }
    return signal.aborted ? undefined : now
  } catch {
    stream.end()
    return undefined
  }
}

async function watchCredential(stream: Stream, tools: boolean): Promise<void> {
  const { call, sink, signal, usable } = stream
  let listed = call.mcp.toolList(call.caller.credential)
  const wanted = usable.size
  while (!signal.aborted) {
    await sleep(call.mcp.checkMs, signal)
    if (signal.aborted) return
    const now = await check(stream)
    if (!now) return
    if (usable.size > 0) await keepStored(now).catch(() => undefined)
    // Nothing is left to listen to.
    if (usable.size === 0 && wanted > 0 && !tools) return stream.end()
    const list = call.mcp.toolList(now.caller.credential)
    if (tools && list !== listed)
      sink.send({ data: notificationText('notifications/tools/list_changed', aboutOf(call)) })
    listed = list
  }
}

const aboutOf = ({ message }: MethodCall): Params => aboutStream(message.id)

interface Followed {
  grantId: string
  resources: readonly ResourceName[]
  after: StreamPosition
}

/** Follows the notifications of one grant. Several changes at once are one message. */
async function follow(stream: Stream, { grantId, resources, after }: Followed): Promise<void> {
  const { call, sink, signal, usable } = stream
  const filter = { grantId, types: resources.flatMap(({ kind }) => typesOf(kind)) }
  let position = after
  while (!signal.aborted) {
    const question = { applicationId: call.caller.id, after: position, filter, limit: 200, waitMs, signal }
    const { rows, next } = await call.mcp.nextOfStream(question)
    position = next
    if (rows.length === 0) continue
    if (!(await check(stream))) return
    for (const { uri, kind } of resources) {
      const isChanged = usable.has(uri) && rows.some(({ type }) => typesOf(kind).includes(type))
      if (isChanged) sink.send({ data: notificationText('notifications/resources/updated', { ...aboutOf(call), uri }) })
    }
  }
}
