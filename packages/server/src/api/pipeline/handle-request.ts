/**
 * One admitted request, from its fields to its answer: query and body are checked, the handler is given its context and a
 * deadline, and its value becomes the answer.
 */
import type { NamedRoute, Route } from '@waypost/contract'
import { after, type Ready } from '../../lib/ready.ts'
import type { FileContent } from '../../providers/operations.ts'
import type { Envelope, WireAnswer } from '../http/answer.ts'
import { type FileAnswer, startFile } from '../http/file-answer.ts'
import { noPayload, type Payload } from '../http/payload.ts'
import type { Queried, ReadQuery } from '../http/query.ts'
import { ResponseBuilder } from '../http/response-builder.ts'
import { shownBy, visitorOf } from './authenticate.ts'
import { cursorBinding, openPosition } from './cursor-binding.ts'
import type { Attempt } from './idempotency.ts'
import { type Known, knownOf, unknownFields } from './ignored-fields.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { parseFields, rawHeaders } from './request.ts'
import type { Incoming, Parties } from './request-admission.ts'
import { RequestContext } from './request-context.ts'
import { type Outside, operationsOf } from './request-operations.ts'
import { createRequestWrites, type Write } from './request-writes.ts'

/** What every handler has in common once its route's types are out of sight; `HandlersOf` has checked them. */
export type AnyHandler = (context: RequestContext) => unknown

/** A route as an app serves it. */
export interface ServedRoute extends Queried {
  handler: AnyHandler
  /** What the route's fields are, by the names in them: made once. */
  known: { query: Known; body: Known } | undefined
}

export interface RequestInput extends Parties {
  outside: Outside
  incoming: Incoming
  query: ReadQuery
  payload: Payload
}

/** `kept`: the answer stands in the store already, written together with the change. */
export type Handled = (WireAnswer & { kept?: boolean }) | FileAnswer

export function handleRequest(
  pipeline: PipelineContext,
  served: ServedRoute,
  input: RequestInput,
  attempt?: Attempt,
): Ready<Handled> {
  const { named, handler } = served
  const fields = readFields(served, input)
  const binding = (): string => cursorBinding(named, input)
  const response = new ResponseBuilder(pipeline, {
    named,
    envelope: envelopeOf(pipeline, named.route, { requestId: input.incoming.requestId, query: fields.query, binding }),
    ignored: fields.ignored,
  })
  const { write, kept } = createRequestWrites(pipeline.database, {
    ...{ response, audit: input.audit, attempt, span: input.incoming.span },
  })
  const position = openPosition(pipeline.cursors, fields.query.page_token, binding)
  const context = contextOf(pipeline, named, input, {
    ...fields,
    position,
    write,
    attempt,
    responseHeaders: response.responseHeaders,
  })
  if (named.route.bytes) {
    const starting = startingFile(handler, input.incoming.request.signal)
    return after(withinDeadline(pipeline, context, starting), ({ headers, ...answer }) => ({
      ...answer,
      headers: { ...response.headers(), ...headers },
    }))
  }
  return after(withinDeadline(pipeline, context, handler), (value): Ready<Handled> => {
    input.audit?.made(value)
    const stored = kept()
    return stored ? { ...stored, kept: true } : response.answerInTurns(value)
  })
}

interface Fields {
  query: Readonly<Record<string, unknown>>
  headers: Readonly<Record<string, unknown>>
  body: unknown
  ignored: readonly string[]
}

/** The fields of a request, checked. */
function readFields(served: ServedRoute, { incoming, query, payload }: RequestInput): Fields {
  const { route } = served.named
  served.known ??= { query: knownOf(route.query), body: knownOf(route.body) }
  const { known } = served
  if (!query.fields) {
    query.fields = Object.freeze(route.query ? parseFields(route.query, query.raw, 'query') : {})
    query.unknown = unknownFields(known.query, query.raw)
  }
  const ignored = payload === noPayload ? query.unknown : [...query.unknown, ...unknownFields(known.body, payload.json)]
  return {
    query: query.fields,
    headers: route.headers ? parseFields(route.headers, rawHeaders(route, incoming.request), 'headers') : none,
    body: route.body && !payload.mime ? parseFields(route.body, payload.json, 'body') : undefined,
    ignored,
  }
}

const none: Readonly<Record<string, unknown>> = Object.freeze({})

const envelopeOf = (
  { cursors }: PipelineContext,
  route: Route,
  { requestId, query, binding }: { requestId: string; query: Readonly<Record<string, unknown>>; binding(): string },
): Envelope => ({
  requestId,
  route,
  select: query.select as string[] | undefined,
  limit: query.limit as number | undefined,
  seal: (position) => cursors.seal(position, binding()),
})

interface ContextParts extends Pick<Fields, 'query' | 'headers' | 'body'> {
  position: RequestContext['position']
  responseHeaders: Record<string, string>
  write: Write
  attempt: Attempt | undefined
}

/** What the handler is given. */
function contextOf(
  pipeline: PipelineContext,
  named: NamedRoute,
  input: RequestInput,
  { query, headers, body, position, responseHeaders, write, attempt }: ContextParts,
): RequestContext {
  const { route } = named
  const { incoming, caller, grant, payload } = input
  const operations =
    grant && !route.own
      ? operationsOf(pipeline, named, grant, {
          request: { query, headers, body },
          responseHeaders,
          write,
          signal: () => context.signal,
          reach: caller?.grantId === undefined ? 'application' : 'grant',
          outside: input.outside,
          span: incoming.span,
          requestId: incoming.requestId,
          once: attempt?.once,
        })
      : undefined
  const context: RequestContext = new RequestContext({
    requestId: incoming.requestId,
    application: caller,
    acting: input.acting,
    visitor: visitorOf(incoming.request, incoming.address),
    grant,
    op: operations?.op,
    change: operations?.change,
    params: incoming.params,
    query,
    headers,
    body,
    files: payload.files,
    mime: payload.mime,
    found: input.found,
    idempotencyKey: incoming.request.header('idempotency-key') || undefined,
    once: attempt?.once,
    bearer: route.audience === 'client' ? shownBy(incoming.request) : undefined,
    responseHeaders,
    position,
    log: pipeline.log,
    write,
  })
  return context
}

/** A handler of a file as one that answers once its first bytes are there. */
const startingFile =
  (handler: AnyHandler, client: AbortSignal) =>
  async (context: RequestContext): Promise<FileAnswer> =>
    // `HandlersOf` has checked what the handlers of such routes answer with.
    startFile((await handler(context)) as FileContent, AbortSignal.any([context.signal, client]))

/** Waits for the handler until the deadline, or until the node ends; a handler that is late is told through its signal. */
function withinDeadline<T>(
  { underWay }: PipelineContext,
  context: RequestContext,
  handler: (context: RequestContext) => Ready<T>,
): Ready<T> {
  const value = handler(context)
  return value instanceof Promise ? underWay.withinDeadline(value, () => context.expire()) : value
}
