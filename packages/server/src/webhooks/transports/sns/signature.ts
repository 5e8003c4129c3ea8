/**
 * AWS Signature Version 4 of a POST request without a query. Pure.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto'

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string
}

export interface Signable {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface SigningPlace {
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
