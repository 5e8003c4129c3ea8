/**
 * One request, from match to answer: credential, budget, Idempotency-Key, fields, handler, envelope. The steps stand in
 * this order because each may only cost what the one before has granted.
 */
import type { Route } from '@waypost/contract'
import { type ApiError, isFinal } from '../../lib/api-error.ts'
import { canonicalJson } from '../../lib/json/text.ts'
import { after, type Ready } from '../../lib/ready.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import { answerError, answerOAuthError, asApiError, type WireAnswer } from '../http/answer.ts'
import { dropFile, type FileAnswer } from '../http/file-answer.ts'
import { noPayload, readPayload, reserveMemory, textOf } from '../http/payload.ts'
import { queryOf } from '../http/query.ts'
import type { Caller } from './authenticate.ts'
import { type Handled, handleRequest, type RequestInput, type ServedRoute } from './handle-request.ts'
import { type Attempt, claim } from './idempotency.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { rawHeaders } from './request.ts'
import { admit, changing, finishAudit, type Incoming, type Parties } from './request-admission.ts'
import type { Outside } from './request-operations.ts'

export interface Outcome {
  answer: WireAnswer | FileAnswer
  caller: Caller | undefined
  /** The grant that it was about. */
  grant: GrantRecord | undefined
  error: ApiError | undefined
}

/** Runs one request of a route; never fails. What needs to wait for nothing is answered at once. */
export function runRoute(pipeline: PipelineContext, served: ServedRoute, incoming: Incoming): Ready<Outcome> {
  const parties: Parties = {
    caller: undefined,
    acting: undefined,
    audit: undefined,
    grant: undefined,
    found: undefined,
    budget: undefined,
  }
  const fail = (thrown: unknown): Promise<Outcome> => failRoute(pipeline, served, { incoming, parties }, thrown)
  try {
    const admitted = admit(pipeline, served.named, incoming, parties)
    const answered = after(admitted, () => answerRoute(pipeline, served, incoming, parties))
    const outcome = after(answered, (answer) => concludeRoute(pipeline, parties, answer))
    return outcome instanceof Promise ? outcome.catch(fail) : outcome
  } catch (thrown) {
    return fail(thrown)
  }
}

function concludeRoute(pipeline: PipelineContext, parties: Parties, answer: Outcome['answer']): Ready<Outcome> {
  const { audit } = parties
  if (!audit || 'idempotent-response' in answer.headers) return outcomeOf(answer, parties)
  return finishAudit(pipeline, audit, answer.status).then(
    () => outcomeOf(answer, parties),
    (error) => {
      if ('file' in answer) dropFile(answer.file)
      throw error
    },
  )
}

async function failRoute(
  pipeline: PipelineContext,
  { named }: ServedRoute,
  { incoming, parties }: { incoming: Incoming; parties: Parties },
  thrown: unknown,
): Promise<Outcome> {
  const error = asApiError(thrown)
  if (parties.grant) {
    const { applicationId, grant } = parties.grant
    pipeline.activity?.failed(grant.id, {
      ...{ operation: named.id, error, requestId: incoming.requestId },
      ...{ of: { applicationId, provider: grant.provider }, isAdministrator: parties.acting !== undefined },
    })
  }
  if (parties.audit) await finishAudit(pipeline, parties.audit, error.status)
  const answer =
    named.route.audience === 'client'
      ? answerOAuthError(error, incoming.requestId, pipeline.errorUri)
      : answerError(error, incoming.requestId)
  return outcomeOf(answer, parties, error)
}

/** What a request came to, with the headers that tell of its budget. */
function outcomeOf(answer: Outcome['answer'], { caller, grant, budget }: Parties, error?: ApiError): Outcome {
  if (budget) answer.headers = Object.assign(budget, answer.headers)
  return { answer, caller, grant, error }
}

function answerRoute(
  pipeline: PipelineContext,
  served: ServedRoute,
  incoming: Incoming,
  parties: Parties,
): Ready<WireAnswer | FileAnswer> {
  const query = queryOf(served, incoming)
  return changing.has(incoming.request.method)
    ? answerChange(pipeline, served, { ...parties, incoming, query })
    : handleRequest(pipeline, served, { ...parties, incoming, query, payload: noPayload, outside: {} })
}

async function answerChange(
  pipeline: PipelineContext,
  served: ServedRoute,
  { query, incoming, ...parties }: Parties & Pick<RequestInput, 'incoming' | 'query'>,
): Promise<WireAnswer | FileAnswer> {
  const { request } = incoming
  const { route } = served.named
  using reserved = reserveMemory(pipeline.uploads, route, request)
  const reading = { type: query.raw.type, reserved, pool: pipeline.composing }
  const payload = await pipeline.underWay.within(readPayload(route, request, reading))
  const input: RequestInput = { ...parties, incoming, query, payload, outside: {} }
  const key = request.header('idempotency-key')
  if (!key || route.audience === 'public' || route.audience === 'client') return handleRequest(pipeline, served, input)

  const claimed = await claimKey(pipeline, key, route, input)
  if ('replay' in claimed) return claimed.replay
  const { attempt } = claimed
  return withAttempt(pipeline, attempt, { requestId: incoming.requestId, outside: input.outside }, () =>
    handleRequest(pipeline, served, input, attempt),
  )
}

/** Claims the Idempotency-Key of a request, or finds what the first request under it was answered. */
async function claimKey(
  { database, nodeId: node, clock, secrets, seals }: PipelineContext,
  key: string,
  route: Route,
  { incoming, caller, acting, grant, query, payload }: RequestInput,
): ReturnType<typeof claim> {
  const { method } = incoming.request
  const headers = rawHeaders(route, incoming.request)
  const conditions = Object.keys(headers).length > 0 ? ` ${canonicalJson(headers)}` : ''
  return claim(
    database,
    {
      applicationId: caller?.id ?? 'administrator',
      // What an access token was answered is for the bearers of tokens of its grant, what a person was, for that person.
      scope: [grant?.grant.id ?? caller?.grantId ?? incoming.params.grant_id ?? '', acting?.person?.id]
        .join(' ')
        .trim(),
      key,
      method: method === 'PUT' ? 'PATCH' : method,
      path: `${incoming.path}?${canonicalJson(query.raw)}${conditions}`,
      body: await textOf(payload),
    },
    { node, now: clock.now(), secrets, seals },
  )
}

/** Keeps the answer of an attempt, or frees its key where a repetition may end otherwise. */
async function withAttempt(
  pipeline: PipelineContext,
  attempt: Attempt,
  { requestId, outside }: { requestId: string; outside: Outside },
  run: () => Ready<Handled>,
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
