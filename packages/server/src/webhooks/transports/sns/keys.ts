/**
 * The keys that sign requests: those of a user, or the temporary ones of a role that the user assumes. And AWS Signature
 * Version 4 of a POST request without a query.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

import { createHash, createHmac } from 'node:crypto'
import { credentialsMs, type Expiring, headerOf, Refused, Renewed, shown, userAgent } from '../cloud-answer.ts'
import type { TransportTools } from '../transport.ts'
import { faultIn, inside, readXml, statusOf, textIn } from './answers.ts'

export interface RoleRequest {
  readonly roleArn: string
  readonly externalId: string | undefined
  readonly url: URL
  readonly region: string
}

type Tools = Pick<TransportTools, 'egress' | 'clock'> & { signal: AbortSignal }

const sessionSeconds = 3_600
const maxAnswerBytes = 16_384

/** Temporary keys from `sts:AssumeRole`. Rejects with `Refused` if STS says no, or with an `EgressError`. */
export async function assumeRole(
  { roleArn, externalId, url, region }: RoleRequest,
  keys: AwsKeys,
  { egress, clock, signal }: Tools,
): Promise<Expiring<AwsKeys>> {
  const now = clock.now()
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'waypost',
    ...(externalId !== undefined && { ExternalId: externalId }),
    DurationSeconds: String(sessionSeconds),
  }).toString()
  const plain = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent }
  const headers = signed({ url, headers: plain, body }, keys, { region, service: 'sts', at: now })
  const deadline = { signal, deadlineMs: credentialsMs, maxBytes: maxAnswerBytes }
  const answer = await egress.request({ url, method: 'POST', headers, body, ...deadline })
  const root = readXml(answer.body)
  const given = inside(inside(root, 'AssumeRoleResult'), 'Credentials')
  const accessKeyId = textIn(given, 'AccessKeyId')
  if (answer.status === 200 && accessKeyId !== '') {
    const [secretAccessKey, sessionToken] = [textIn(given, 'SecretAccessKey'), textIn(given, 'SessionToken')]
    const until = Date.parse(textIn(given, 'Expiration'))
    const expiresAt = Number.isNaN(until) ? now + sessionSeconds * 1000 : until
    return { value: { accessKeyId, secretAccessKey, sessionToken }, expiresAt }
  }
  const fault = faultIn(root)
  const status = statusOf(fault, answer.status)
  // STS says 400 to a role that cannot be assumed from here, for example in a region that is not active.
  const refused = status === 429 || status >= 500 ? status : 403
  const reported = `AWS refused to assume ${roleArn} with ${answer.status} ${shown(`${fault.code}: ${fault.message}`)}`
  throw new Refused(refused, reported, headerOf(answer.headers, 'retry-after'))
}

export interface KeySource {
  get(): Promise<AwsKeys>
  /** AWS refused these keys: temporary ones are fetched again at the next use. */
  drop(keys: AwsKeys): void
}

export function keySource(own: AwsKeys, role: RoleRequest | undefined, tools: Tools): KeySource {
  if (role === undefined) return { get: async () => own, drop: () => undefined }
  return new Renewed(() => assumeRole(role, own, tools), tools.clock)
}

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string
}

interface Signable {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface SigningPlace {
  readonly region: string
  readonly service: string
  /** Milliseconds. */
  readonly at: number
}

const algorithm = 'AWS4-HMAC-SHA256'

/**
 * The headers of the request with its signature. The host is signed but not among them: the connection sets it from
 * the URL.
 */
export function signed({ url, headers, body }: Signable, keys: AwsKeys, { region, service, at }: SigningPlace) {
  const date = new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = date.slice(0, 8)
  const sent: Record<string, string> = { ...headers, 'x-amz-date': date }
  if (keys.sessionToken !== undefined) sent['x-amz-security-token'] = keys.sessionToken
  const lines = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  const names = lines.map(([name]) => name).join(';')
  const canonical = [
    'POST',
    url.pathname,
    '',
    ...lines.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ]
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = [algorithm, date, scope, sha256(canonical.join('\n'))].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  sent.authorization = `${algorithm} Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return sent
}

const sha256 = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
