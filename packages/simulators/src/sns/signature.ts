// Verifies AWS Signature Version 4 in the Authorization header.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { RawRequest } from '../shared/http.ts'
import { AwsError } from './errors.ts'

const credential = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/
const skewMs = 15 * 60_000

/** What a request claims, before it is verified. */
export interface Claim {
  readonly accessKeyId: string
  readonly day: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  readonly date: string
  readonly sessionToken: string | undefined
}

export function claimOf({ headers }: RawRequest): Claim {
  const authorization = headers.get('authorization')
  if (authorization === null) {
    throw new AwsError(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token')
  }
  const [algorithm, ...rest] = authorization.split(' ')
  const parts = Object.fromEntries(
    rest
      .join('')
      .split(',')
      .map((part) => splitAt(part, '=')),
  )
  const [, accessKeyId, day, region, service] = credential.exec(parts.Credential ?? '') ?? []
  const date = headers.get('x-amz-date') ?? ''
  const { SignedHeaders: signed, Signature: signature } = parts
  const isComplete = accessKeyId && day && region && service && signed && signature && /^\d{8}T\d{6}Z$/.test(date)
  if (algorithm !== 'AWS4-HMAC-SHA256' || !isComplete) {
    throw new AwsError(
      400,
      'IncompleteSignature',
      "Authorization header requires 'Credential', 'Signature', 'SignedHeaders' and a date.",
    )
  }
  const sessionToken = headers.get('x-amz-security-token') ?? undefined
  return { accessKeyId, day, region, service, signedHeaders: signed.split(';'), signature, date, sessionToken }
}

/** Throws unless the request was signed with this secret, for this region and service, about now. */
export function verifySignature(
  request: RawRequest,
  claim: Claim,
  { secret, region, service, now }: { secret: string; region: string; service: string; now: number },
): void {
  if (claim.region !== region) throw mismatch(`Credential should be scoped to a valid region. `)
  if (claim.service !== service) throw mismatch(`Credential should be scoped to correct service: '${service}'. `)
  checkDate(claim, now)
  for (const name of ['host', 'x-amz-date', 'x-amz-security-token']) {
    const isNeeded = request.headers.has(name) && !claim.signedHeaders.includes(name)
    if (isNeeded) throw mismatch(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`)
  }
  const scope = `${claim.day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', claim.date, scope, sha256(canonicalRequest(request, claim.signedHeaders))].join(
    '\n',
  )
  const key = [claim.day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (last, next) => createHmac('sha256', last).update(next).digest(),
    `AWS4${secret}`,
  )
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(claim.signature, 'hex')
  if (given.length === expected.length && timingSafeEqual(given, expected)) return
  throw mismatch(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  )
}

function checkDate({ date, day }: Claim, now: number): void {
  if (!date.startsWith(day))
    throw mismatch('Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP')
  const [, year, month, dayOfMonth, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const at = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`)
  const limit = compact(now - skewMs)
  if (at < now - skewMs)
    throw mismatch(`Signature expired: ${date} is now earlier than ${limit} (${compact(now)} - 15 min.)`)
  if (at > now + skewMs)
    throw mismatch(
      `Signature not yet current: ${date} is still later than ${compact(now + skewMs)} (${compact(now)} + 15 min.)`,
    )
}

function canonicalRequest({ method, url, headers, body }: RawRequest, signed: readonly string[]): string {
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort((left, right) => (left < right ? -1 : 1))
    .join('&')
  const lines = signed.map((name) => `${name}:${(headers.get(name) ?? '').trim().replaceAll(/ +/g, ' ')}\n`)
  return [method, url.pathname, query, lines.join(''), signed.join(';'), sha256(body)].join('\n')
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
const sha256 = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex')
const compact = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
const mismatch = (message: string): AwsError => new AwsError(403, 'SignatureDoesNotMatch', message)

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}
