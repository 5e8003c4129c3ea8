/** A request that changes something: its body is read, and its Idempotency-Key claimed, before its handler runs. */
import { isFinal } from '@waypost/platform/api-error'
import { canonicalJson } from '@waypost/platform/json/values'
import { answerError, asApiError } from '../http/answer.ts'
import { type Payload, readPayload, reserveMemory, textOf } from '../http/payload.ts'
import type { ApiServices } from './api-services.ts'
import { type Handled, handleRequest } from './handle-request.ts'
import { type Attempt, claim } from './idempotency.ts'
import type { RequestContext } from './request-context.ts'

export async function answerChange(api: ApiServices, context: RequestContext): Promise<Handled> {
  const { request, internal } = context
  const { route } = context.served.named
  if (internal) return answerPayload(api, context, internal.payload)
  const owner = context.application?.id ?? api.addressOf(request)
  using reserved = reserveMemory(api.uploads, { route, request, owner })
  const reading = { type: context.rawQuery.type, reserved, pool: api.mail.threads.composing, bytes: context.bodyBytes }
  return await answerPayload(api, context, await api.telemetry.underWay.within(readPayload(route, request, reading)))
}

async function answerPayload(api: ApiServices, context: RequestContext, payload: Payload): Promise<Handled> {
  const { idempotencyKey: key } = context
  const { route } = context.served.named
  // A key belongs to a caller, so guests without a credential of the application have none.
  const isNobody = route.audience === 'guest' && !context.application
  if (!key || isNobody || route.audience === 'public' || route.audience === 'client') {
    return handleRequest(api, context, payload)
  }

  const claimed = await claimKey(api, context, { key, payload })
  if ('replay' in claimed) return claimed.replay
  context.attempt = claimed.attempt
  return withAttempt(api, context, claimed.attempt, () => handleRequest(api, context, payload))
}

/** Claims the Idempotency-Key of a request, or finds the answer to the first request under it. */
async function claimKey(
  { storage: { database, clock, secrets, seals }, runtime: { node } }: ApiServices,
  { served, request, params, path, application, acting, grant, rawQuery, rawHeaders }: RequestContext,
  { key, payload }: { key: string; payload: Payload },
): ReturnType<typeof claim> {
  const { method } = request
  const conditions = Object.keys(rawHeaders).length > 0 ? ` ${canonicalJson(rawHeaders)}` : ''
  return claim(
    database,
    {
      applicationId: application?.id ?? 'administrator',
      // The answer to an access token is for the tokens of its grant, the answer to a person, a service account or a
      // restricted credential for that one alone.
      scope: [
        grant?.grant.id ?? application?.grantId ?? params.grant_id ?? '',
        acting?.person?.id ?? acting?.serviceAccount?.id ?? application?.credential?.id,
      ]
        .join(' ')
        .trim(),
      key,
      method: method === 'PUT' && !served.named.route.exactMethod ? 'PATCH' : method,
      path: `${path}?${canonicalJson(rawQuery)}${conditions}`,
      body: await textOf(payload),
    },
    { node: node.id, now: clock.now(), secrets, seals },
  )
}

/** Stores the answer of an attempt, or releases its key where a retry may end differently. */
async function withAttempt(
  api: ApiServices,
  context: RequestContext,
  attempt: Attempt,
  run: () => Promise<Handled>,
): Promise<Handled> {
  try {
    const handled = await run()
    if ('body' in handled && !handled.isStored) await attempt.complete(api.storage.database, handled)
    return handled
  } catch (thrown) {
    const error = asApiError(thrown)
    if (isFinal(error)) await attempt.complete(api.storage.database, answerError(error, context.requestId))
    else if (context.reachedProvider) await attempt.leave()
    else await attempt.release()
    throw error
  }
}
