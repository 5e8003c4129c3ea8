// Exchange failures that a test schedules in advance.
import type { Failure } from '../shared/faults.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { errorMessage } from './soap/answers.ts'
import { faultAnswer, operationOf } from './soap/dispatch.ts'
import { writeEnvelope } from './soap/envelope.ts'
import { EwsError } from './soap/errors.ts'
import type { ServerVersion } from './soap/versions.ts'
import { element } from './xml/write.ts'

/**
 * `{ status: 500, code: 'ErrorServerBusy', backOffMilliseconds: 300 }` is a SOAP fault; with status 200 it is the
 * error of the only response message. `{ status: 200, html: '<h1>Sign in</h1>' }` is any page, e.g. from a proxy
 * before the server.
 */
export type EwsRefusal =
  | { readonly status: number; readonly code: string; readonly message?: string; readonly backOffMilliseconds?: number }
  | { readonly status: number; readonly html: string; readonly headers?: Readonly<Record<string, string>> }

export type ExchangeFailure = Failure<EwsRefusal>

export function refusalAnswer(server: ServerVersion): (refusal: EwsRefusal, request: RawRequest) => RawAnswer {
  return (refusal, request) => {
    if ('html' in refusal) return textAnswer(refusal.status, refusal.html, refusal.headers)
    const { status, code, message = code, backOffMilliseconds } = refusal
    const values = backOffMilliseconds === undefined ? {} : { values: { BackOffMilliseconds: backOffMilliseconds } }
    const error = new EwsError(code, message, values)
    if (status !== 200) return faultAnswer(error, status)
    const operation = operationOf(request) ?? ''
    const messages = [errorMessage(`m:${operation}ResponseMessage`, error)]
    const body = element(`m:${operation}Response`, [element('m:ResponseMessages', messages)])
    const headers = { 'content-type': 'text/xml; charset=utf-8' }
    return { status, headers, body: new TextEncoder().encode(writeEnvelope(body, server)) }
  }
}
