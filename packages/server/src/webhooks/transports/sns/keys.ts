/** The keys that sign requests: those of a user, or the temporary ones of a role that the user assumes. */
import { credentialsMs, headerOf, Refused, shown, userAgent } from '../cloud-answer.ts'
import { type Expiring, Renewed } from '../renewed.ts'
import type { TransportTools } from '../transport.ts'
import { faultIn, inside, readXml, statusOf, textIn } from './answers.ts'
import { type AwsKeys, signed } from './signature.ts'

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
