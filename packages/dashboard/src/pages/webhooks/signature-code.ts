/** Code samples that verify a delivery. Tests run each of them against a real delivery. */
export interface Sample {
  name: string
  text: string
}

export const signatureSamples: readonly Sample[] = [
  {
    name: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the bytes as they came (Buffer); headers: in lower case; secret: whsec_…
export function verify(body, headers, secret) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error('too old')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest()
  const fits = headers['webhook-signature'].split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!fits) throw new Error('not from Waypost')
  return JSON.parse(body)
}`,
  },
  {
    name: 'Our SDK',
    text: `import { verifyWebhook } from '@waypost/sdk'

// Takes the bytes as they came, the headers, and one secret or several.
export const verify = (body, headers, secret) => verifyWebhook(body, headers, secret)`,
  },
  {
    name: 'Python',
    text: `import base64, hashlib, hmac, json, time

# body: the bytes as they came; headers: in lower case; secret: whsec_…
def verify(body, headers, secret):
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [each.removeprefix("v1,") for each in headers["webhook-signature"].split(" ")]
    if not any(hmac.compare_digest(each, expected) for each in given):
        raise ValueError("not from Waypost")
    return json.loads(body)`,
  },
  {
    name: 'openssl',
    text: `# body.json: the bytes as they came; compare with x-service-signature
openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" < body.json | sed 's/^.*= //'

# The same with the time, to compare with webhook-signature behind "v1,"
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
  },
]
