/**
 * One request, from match to answer: credential, budget, Idempotency-Key, fields, handler, envelope. The steps stand in
 * this order because each may only cost what the one before has granted.
 */
import { limits, type NamedRoute, type Route } from '@waypost/contract'
import type { Operation } from '../grants/sessions.ts'
import { ApiError, isFinal } from '../lib/api-error.ts'
import { canonicalJson } from '../lib/json-text.ts'
import type { FileContent, Once } from '../providers/operations.ts'
import type { Queries } from '../store/database.ts'
import type { GrantRecord } from '../store/grants.ts'
import type { Reach } from '../store/virtual-tables.ts'
import {
  answerError,
  answerOAuthError,
  answerPage,
  answerWith,
  asApiError,
  type Envelope,
  type WireAnswer,
} from './answer.ts'
import { type Caller, shownBy, visitorOf } from './authenticate.ts'
import { checkAnswer } from './check-answer.ts'
import { cursorBinding, openPosition } from './cursor-binding.ts'
import { type FileAnswer, startFile } from './file-answer.ts'
import { type Attempt, claim } from './idempotency.ts'
import { noPayload, type Payload, readPayload, reserveMemory, textOf } from './payload.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { parseFields, type RawQuery, readQuery, unknownNames } from './request.ts'
import { admit, changing, finishAudit, type Incoming, type Parties } from './request-admission.ts'
import { RequestContext } from './request-context.ts'

/** What every handler has in common once its route's types are out of sight; `HandlersOf` has checked them. */
export type AnyHandler = (context: RequestContext) => unknown

export interface Outcome {
  answer: WireAnswer | FileAnswer
  caller?: Caller
  error?: ApiError
}

/** Runs one request of a route; never throws. */
export async function runRoute(
  pipeline: PipelineContext,
  named: NamedRoute,
  handler: AnyHandler,
  incoming: Incoming,
): Promise<Outcome> {
  const parties: Parties = { caller: undefined, acting: undefined, audit: undefined, grant: undefined }
  let headers: Record<string, string> = {}
  try {
    headers = await admit(pipeline, named, incoming, parties)
    const answer = await answerRoute(pipeline, named, handler, incoming, parties)
    if (parties.audit && !('idempotent-response' in answer.headers)) {
      await finishAudit(pipeline, parties.audit, answer.status)
    }
    return { answer: { ...answer, headers: { ...headers, ...answer.headers } }, caller: parties.caller }
  } catch (thrown) {
    const error = asApiError(thrown)
    if (parties.grant) {
      const what = { operation: named.id, error, requestId: incoming.requestId }
      pipeline.activity?.failed(parties.grant.grant.id, what)
    }
    if (parties.audit) await finishAudit(pipeline, parties.audit, error.status)
    const answer =
      named.route.audience === 'client'
        ? answerOAuthError(error, incoming.requestId, pipeline.errorUri)
        : answerError(error, incoming.requestId)
    return { answer: { ...answer, headers: { ...headers, ...answer.headers } }, caller: parties.caller, error }
  }
}

async function answerRoute(
  pipeline: PipelineContext,
  named: NamedRoute,
  handler: AnyHandler,
  incoming: Incoming,
  parties: Parties,
): Promise<WireAnswer | FileAnswer> {
  const { request } = incoming
  const { caller, grant } = parties
  const rawQuery = Object.assign(readQuery(request.url), incoming.inPath)
  if (!changing.has(request.method))
    return handle(pipeline, named, handler, { ...parties, incoming, rawQuery, payload: noPayload, outside: {} })
  using reserved = reserveMemory(pipeline.uploads, named.route, request)
  const reading = { type: rawQuery.type, reserved, pool: pipeline.composing }
  const payload = await pipeline.underWay.within(readPayload(named.route, request, reading))
  const input: Input = { ...parties, incoming, rawQuery, payload, outside: {} }
  const key = request.headers.get('idempotency-key')
  if (!key || named.route.audience === 'public' || named.route.audience === 'client')
    return handle(pipeline, named, handler, input)

  const claimed = await claim(
    pipeline.database,
    {
      applicationId: caller?.id ?? 'administrator',
      // What an access token was answered is for the bearers of tokens of its grant.
      scope: grant?.grant.id ?? caller?.grantId ?? incoming.params.grant_id ?? '',
      key,
      method: request.method === 'PUT' ? 'PATCH' : request.method,
      path: `${incoming.path}?${canonicalJson(rawQuery)}`,
      body: await textOf(payload),
    },
    { node: pipeline.nodeId, now: pipeline.clock.now(), secrets: pipeline.secrets, seals: pipeline.seals },
  )
  if ('replay' in claimed) return claimed.replay
  const { attempt } = claimed
  return withAttempt(pipeline, attempt, { requestId: incoming.requestId, outside: input.outside }, () =>
    handle(pipeline, named, handler, input, attempt),
  )
}

/** Keeps the answer of an attempt, or frees its key where a repetition may end otherwise. */
async function withAttempt(
  pipeline: PipelineContext,
  attempt: Attempt,
  { requestId, outside }: { requestId: string; outside: Outside },
  run: () => Promise<Handled>,
): Promise<WireAnswer | FileAnswer> {
  try {
    const handled = await run()
    if (!('file' in handled || handled.kept)) await attempt.complete(pipeline.database, handled)
    return handled
  } catch (thrown) {
    const error = asApiError(thrown)
    if (isFinal(error)) await attempt.complete(pipeline.database, answerError(error, requestId))
    else if (outside.reached) await attempt.leave()
    else await attempt.release()
    throw error
  }
}

/** Whether a provider was asked to change something: it may have done so, however the request ends. */
interface Outside {
  reached?: boolean
}

interface Input extends Parties {
  outside: Outside
  incoming: Incoming
  rawQuery: RawQuery
  payload: Payload
}
/** `kept`: the answer stands in the store already, written together with the change. */
type Handled = (WireAnswer & { kept?: boolean }) | FileAnswer

async function handle(
  pipeline: PipelineContext,
  named: NamedRoute,
  handler: AnyHandler,
  input: Input,
  attempt?: Attempt,
): Promise<Handled> {
  const { route } = named
  const { incoming, caller, payload } = input
  const query = queryOf(route, input.rawQuery)
  const body = route.body && !payload.mime ? parseFields(route.body, payload.json, 'body') : undefined
  const binding = (): string => cursorBinding(named, input)
  const envelope: Envelope = {
    requestId: incoming.requestId,
    route,
    select: query.select as string[] | undefined,
    limit: query.limit as number | undefined,
    seal: (position) => pipeline.cursors.seal(position, binding()),
  }
  const ignored = [...unknownNames(route.query, input.rawQuery), ...unknownNames(route.body, payload.json)]
  const remarks: Record<string, string> = {}
  const setResponseHeader = (): Record<string, string> => {
    const told = remarks['x-ignored-fields']
    const names = [...(told ? [told] : []), ...(ignored.length > 0 ? [headerList(ignored)] : [])]
    return names.length > 0 ? { ...remarks, 'x-ignored-fields': names.join(', ') } : remarks
  }
  const finish = (value: unknown): WireAnswer => {
    if (pipeline.checkAnswers) checkAnswer(named, value)
    return { ...answerWith(value, envelope), headers: setResponseHeader() }
  }

  let kept: WireAnswer | undefined
  const write: OperationUse['write'] = async (work, sharing) => {
    const before = { kept, remarks: { ...remarks } }
    const run = async (tx: Queries): Promise<unknown> => {
      // Work that shares a transaction may run twice: what the first run said does not count.
      for (const name of Object.keys(remarks)) delete remarks[name]
      Object.assign(remarks, before.remarks)
      const value = await work(tx)
      await input.audit?.keep(tx, value)
      if (attempt && !before.kept) {
        kept = finish(value)
        await attempt.complete(tx, kept)
      }
      return value
    }
    // What an administrator changes is written down once.
    const value = await pipeline.database.transaction(run, input.audit ? undefined : sharing)
    input.audit?.kept()
    return value
  }
  const operations =
    input.grant &&
    !route.own &&
    operationsOf(pipeline, named, input.grant, {
      remarks,
      write,
      signal: () => context.signal,
      reach: caller?.grantId === undefined ? 'application' : 'grant',
      outside: input.outside,
      once: attempt?.once,
    })
  const context = new RequestContext({
    requestId: incoming.requestId,
    application: caller,
    acting: input.acting,
    visitor: visitorOf(incoming.request, incoming.address),
    grant: input.grant,
    op: operations ? operations.op : undefined,
    change: operations ? operations.change : undefined,
    params: incoming.params,
    query,
    body,
    files: payload.files,
    mime: payload.mime,
    idempotencyKey: incoming.request.headers.get('idempotency-key') || undefined,
    once: attempt?.once,
    bearer: route.audience === 'client' ? shownBy(incoming.request) : undefined,
    remarks,
    position: openPosition(pipeline.cursors, query.page_token, binding),
    log: pipeline.log,
    write,
  })
  if (route.bytes) {
    const { headers, ...answer } = await withinDeadline(
      pipeline,
      context,
      startingFile(handler, incoming.request.signal),
    )
    return { ...answer, headers: { ...setResponseHeader(), ...headers } }
  }
  const value = await withinDeadline(pipeline, context, handler)
  input.audit?.made(value)
  if (kept) return { ...kept, kept: true }
  if (!route.list || !route.returns || route.flat || route.beside) return finish(value)
  if (pipeline.checkAnswers) checkAnswer(named, value)
  return { ...(await answerPage(value, envelope)), headers: setResponseHeader() }
}

/** A handler of a file as one that answers once its first bytes are there. */
const startingFile =
  (handler: AnyHandler, client: AbortSignal) =>
  async (context: RequestContext): Promise<FileAnswer> =>
    // `HandlersOf` has checked what the handlers of such routes answer with.
    startFile((await handler(context)) as FileContent, AbortSignal.any([context.signal, client]))

/** What a route's query is when nothing is given, by route: parsed once, because most requests give nothing. */
const emptyQueries = new WeakMap<Route, Record<string, unknown>>()

function queryOf(route: Route, raw: RawQuery): Record<string, unknown> {
  if (!route.query) return {}
  for (const _ in raw) return parseFields(route.query, raw, 'query')
  let empty = emptyQueries.get(route)
  if (!empty) {
    empty = Object.freeze(parseFields(route.query, raw, 'query'))
    emptyQueries.set(route, empty)
  }
  return empty
}

interface OperationUse {
  remarks: Record<string, string>
  write(work: (tx: Queries) => Promise<unknown>, sharing?: { key: string }): Promise<unknown>
  signal(): AbortSignal
  reach: Reach
  outside: Outside
  once: Once | undefined
}

/**
 * The operation for reading, and the way to run it as a change: in one transaction where we keep the account ourselves.
 * What the service keeps beside a change is written in that transaction too, or else in one after the provider's change.
 */
function operationsOf(pipeline: PipelineContext, named: NamedRoute, record: GrantRecord, use: OperationUse) {
  const bind = (queries: Queries): Operation =>
    pipeline.sessions.bind(record, named, { queries, signal: use.signal, remarks: use.remarks, reach: use.reach })
  const op = bind(pipeline.database)
  const { local } = pipeline.sessions.providerOf(record, named.id)
  const change: RequestContext['change'] = async (work, keep) => {
    const changed = (tx: Queries): Promise<unknown> => work(bind(tx), tx)
    // Changes of events lock their grant first, and are small; those of calendars may rewrite many events.
    const sharing = named.resource === 'events' ? { key: record.grant.id } : undefined
    if (local) return use.write(async (tx) => (keep ? keep(tx, await changed(tx)) : changed(tx)), sharing)
    use.outside.reached = true
    const made = await work(op, pipeline.database).catch((error: unknown) => {
      // What is to be deleted is gone: a former try of this request has done it.
      const isDone = use.once?.again && named.route.method === 'DELETE'
      if (isDone && error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    })
    return keep ? use.write((tx) => keep(tx, made)) : made
  }
  return { op, change }
}

/** Header values are ASCII, and proxies take a few kilobytes of them; names come from the client. */
const headerList = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 60).toWellFormed()))
    .join(', ')
    .slice(0, 1000)

/** Waits for the handler until the deadline, or until the node ends; a handler that is late is told through its signal. */
function withinDeadline<T>(
  { underWay }: PipelineContext,
  context: RequestContext,
  handler: (context: RequestContext) => T | Promise<T>,
): Promise<T> {
  const answered = new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      context.expire()
      reject(new ApiError('deadline_exceeded'))
    }, limits.deadlineMs)
    const done = (): void => clearTimeout(timer)
    Promise.resolve(context).then(handler).then(resolve, reject).finally(done)
  })
  return underWay.within(answered, () => context.expire())
}
