/**
 * The signed URL that receives the bytes of an upload. Its token is sealed: it names the upload, and nobody can make one for
 * another. It needs no API key, so a browser of an end user can upload directly.
 */

import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { UploadAddress } from '@waypost/store/tables/grants/upload-chunks'
import type { Services } from '../../services/services.ts'
import { networkOf } from '../../telemetry/password-guessing.ts'
import { answerError, asApiError } from '../http/answer.ts'
import { openCors } from '../http/cors.ts'
import type { HttpRequest, HttpResponse } from '../http/http.ts'
import { headersOf } from '../http/respond.ts'
import type { ApiServices } from '../pipeline/api-services.ts'
import type { Endpoint } from '../pipeline/page.ts'
import type { ArrivedRequest } from '../pipeline/request-context.ts'

const path = '/uploads/'
const binding = 'attachment upload'

export const uploadUrl = (
  { storage: { cursors }, config }: Pick<Services, 'config' | 'storage'>,
  { applicationId, id, expiresAt }: UploadAddress & { expiresAt: number },
): string => `${config.baseUrl}${path}${cursors.seal([applicationId, id, expiresAt], binding)}`

function addressIn(opened: JsonValue | undefined): (UploadAddress & { expiresAt: number }) | undefined {
  if (!Array.isArray(opened)) return undefined
  const [applicationId, id, expiresAt] = opened
  if (typeof applicationId !== 'string' || typeof id !== 'string' || typeof expiresAt !== 'number') return undefined
  return { applicationId, id, expiresAt }
}

export function uploadTarget(
  { storage: { cursors, clock }, mail: { uploads } }: Pick<Services, 'storage' | 'mail'>,
  api: ApiServices,
): Endpoint {
  const slots = createUploadSlots()

  async function receive({ request, params }: ArrivedRequest): Promise<void> {
    const at = addressIn(cursors.open(params.name ?? '', binding))
    if (!at) throw new ApiError('not_found', 'this is not the URL of an upload')
    if (at.expiresAt <= clock.now()) throw new ApiError('upload_expired')
    using _ = slots.take({ application: at.applicationId, address: api.addressOf(request) })
    await api.telemetry.underWay.within(
      uploads.receive(at, { length: lengthOf(request), stream: () => request.stream() }),
    )
  }

  return {
    method: 'PUT',
    path: `${path}:name`,
    isOpen: true,
    async respond(arrived) {
      const started = performance.now()
      const requestId = newId()
      const answer = await receive(arrived).then(
        () => received(requestId),
        (error: unknown) => refused(api, requestId, error),
      )
      api.telemetry.metrics.answered(`${path}:name`, answer.status, performance.now() - started)
      return answer
    },
  }
}

function lengthOf(request: HttpRequest): number | undefined {
  const length = request.header('content-length')
  if (request.header('content-range') !== null) {
    throw new ApiError('invalid_request', 'Content-Range is not supported: send the whole file in one PUT')
  }
  return length === null ? undefined : Number(length)
}

const received = (requestId: string): HttpResponse => ({
  status: 200,
  headers: { ...headersOf(requestId), ...openCors },
  body: JSON.stringify({ request_id: requestId }),
})

function refused(api: ApiServices, requestId: string, thrown: unknown): HttpResponse {
  const error = asApiError(thrown)
  if (error.code === 'internal_error')
    api.storage.log.error({ error: thrown, request_id: requestId }, 'an upload failed')
  api.telemetry.metrics.erred(error.code)
  const { status, headers, body } = answerError(error, requestId)
  return { status, headers: { ...headersOf(requestId), ...openCors, ...headers }, body }
}

export const maxUploads = 32
export const maxOf = { application: 8, address: 16 }

/**
 * How many uploads a node receives at a time. Each of them holds about 3 MB and writes to the store, so their number is
 * limited. One application, or one address, gets a part of them, however slowly it sends. Several applications may be behind
 * one address, such as that of a proxy.
 */
export interface UploadSlots {
  /** Takes a slot until it is disposed. Throws if there is none. */
  take(of: { application: string; address: string }): Disposable
}

export function createUploadSlots(): UploadSlots {
  const running = new Map<string, number>()
  let all = 0
  return {
    take({ application, address }) {
      const holders = { application: `application ${application}`, address: `address ${networkOf(address)}` }
      for (const name of ['application', 'address'] as const) {
        if ((running.get(holders[name]) ?? 0) < maxOf[name]) continue
        const problem = `this ${name} has ${maxOf[name]} uploads under way at this node, which is its limit`
        throw new ApiError('rate_limited', `${problem}: wait until one of them has ended`, { retryAfter: 5 })
      }
      if (all >= maxUploads) {
        const problem = `this node receives ${maxUploads} uploads, which is its limit`
        throw new ApiError('service_unavailable', `${problem}: try again`, { retryAfter: 5 })
      }
      const count = (by: number): void => {
        all += by
        for (const holder of Object.values(holders)) {
          const left = (running.get(holder) ?? 0) + by
          if (left > 0) running.set(holder, left)
          else running.delete(holder)
        }
      }
      count(1)
      let isTaken = true
      return {
        [Symbol.dispose]() {
          if (isTaken) count(-1)
          isTaken = false
        },
      }
    },
  }
}
