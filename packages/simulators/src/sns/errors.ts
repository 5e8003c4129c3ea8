// Errors of the AWS query APIs. https://docs.aws.amazon.com/sns/latest/api/CommonErrors.html
import { randomUUID } from 'node:crypto'
import type { RawAnswer } from '../shared/http.ts'

export const snsNamespace = 'http://sns.amazonaws.com/doc/2010-03-31/'
export const stsNamespace = 'https://sts.amazonaws.com/doc/2011-06-15/'

/** Thrown by an action and rendered as the error response. */
export class AwsError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** An error response, e.g. `{ status: 400, code: 'Throttling', message: 'Rate exceeded' }`. */
export interface SnsRefusal {
  readonly status: number
  readonly code: string
  readonly message?: string
  readonly retryAfter?: number
}

export const invalidParameter = (message: string): AwsError =>
  new AwsError(400, 'InvalidParameter', `Invalid parameter: ${message}`)

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export function xmlAnswer(status: number, xml: string, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  const type = { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() }
  return { status, headers: { ...type, ...headers }, body: new TextEncoder().encode(xml) }
}

export function refusalAnswer(
  { status, code, message = code, retryAfter }: SnsRefusal,
  namespace = snsNamespace,
): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  const type = status < 500 ? 'Sender' : 'Receiver'
  const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${escapeText(message)}</Message></Error>`
  const id = `<RequestId>${randomUUID()}</RequestId>`
  return xmlAnswer(status, `<ErrorResponse xmlns="${namespace}">${error}${id}</ErrorResponse>`, headers)
}

/** The response of a successful action. */
export function resultAnswer(action: string, result: string | undefined, namespace: string): RawAnswer {
  const body = result === undefined ? '' : `<${action}Result>${result}</${action}Result>`
  const id = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`
  return xmlAnswer(200, `<${action}Response xmlns="${namespace}">${body}${id}</${action}Response>`)
}
