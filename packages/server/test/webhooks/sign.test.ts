import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createSigner, newWebhookSecret } from '../../src/webhooks/transports/sign.ts'

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

/** HMAC-SHA256 by hand, from RFC 2104. */
function hmac(key: Buffer, message: Buffer): Buffer {
  const block = Buffer.alloc(64)
  ;(key.length > 64 ? sha256(key) : key).copy(block)
  const mask = (byte: number): Buffer => Buffer.from(block.map((value) => value ^ byte))
  return sha256(mask(0x5c), sha256(mask(0x36), message))
}

/** The Standard Webhooks signature by hand: signs `id.timestamp.body` with the decoded base64 after whsec_. */
const standard = (secret: string, { id, timestamp, body }: { id: string; timestamp: number; body: Buffer }): string =>
  `v1,${hmac(Buffer.from(secret.replace('whsec_', ''), 'base64'), Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])).toString('base64')}`

const text =
  '{"specversion":"1.0","type":"grant.expired","source":"/nylas/system","id":"n-1","time":1739223251,"webhook_delivery_attempt":1,"data":{"application_id":"app-1","object":{"code":25009,"grant_id":"g-1","integration_id":"i-1","provider":"google"}}}'
const header = 'x-service-signature'
const signed = { id: 'n-1', timestamp: 1_739_223_252, body: Buffer.from(text) }

describe('the signature over the body', () => {
  test('matches the vector of the contract', () => {
    expect(signed.body).toHaveLength(245)
    const headers = createSigner({ current: 'Zq7-mT2xLw9_KfR4bVe8' }, header)(signed)
    expect(headers['x-service-signature']).toBe('9748d08ed755adcec78d2430f964c6549982d045beff732c14f05400398c9176')
    expect(headers['x-nylas-signature']).toBe(headers['x-service-signature'])
  })

  test('uses the whole text of the secret as key, including the prefix', () => {
    const current = newWebhookSecret()
    const headers = createSigner({ current }, header)(signed)
    expect(headers[header]).toBe(hmac(Buffer.from(current), signed.body).toString('hex'))
    expect(headers[header]).toMatch(/^[0-9a-f]{64}$/)
  })

  test('covers the compressed bytes if these are sent', () => {
    const body = gzipSync(text)
    const current = newWebhookSecret()
    const headers = createSigner({ current }, header)({ ...signed, body })
    expect(headers[header]).toBe(hmac(Buffer.from(current), body).toString('hex'))
    expect(headers['webhook-signature']).toBe(standard(current, { ...signed, body }))
    expect(headers[header]).not.toBe(hmac(Buffer.from(current), gunzipSync(body)).toString('hex'))
  })

  test('has the header name that the operator chose, in lower case, in addition to the standard one', () => {
    const sign = createSigner({ current: newWebhookSecret(), previous: newWebhookSecret() }, 'X-Acme-Signature')
    expect(Object.keys(sign(signed)).sort()).toEqual([
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-acme-signature',
      'x-acme-signature-previous',
      'x-nylas-signature',
    ])
  })
})

describe('Standard Webhooks', () => {
  test("matches the vector of the project's own tests", () => {
    const headers = createSigner(
      { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      header,
    )({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: Buffer.from('{"test": 2432232314}'),
    })
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(headers['webhook-id']).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek')
    expect(headers['webhook-timestamp']).toBe('1614265330')
  })

  test('matches a computation by hand for bodies of every size, with any bytes', () => {
    for (const length of [0, 1, 63, 64, 65, 2048, 1_048_576]) {
      const current = newWebhookSecret()
      const body = Buffer.alloc(length, Buffer.from('ä€\u{1F600}\0\xff'))
      const headers = createSigner({ current }, header)({ ...signed, body })
      expect(headers['webhook-signature']).toBe(standard(current, { ...signed, body }))
    }
  })

  test('uses a secret without the prefix as the key itself', () => {
    const headers = createSigner({ current: 'mock-webhook-secret' }, header)(signed)
    const message = Buffer.concat([Buffer.from('n-1.1739223252.'), signed.body])
    expect(headers['webhook-signature']).toBe(
      `v1,${hmac(Buffer.from('mock-webhook-secret'), message).toString('base64')}`,
    )
  })

  test('signs the time of each attempt, with the same keys', () => {
    const current = newWebhookSecret()
    const sign = createSigner({ current }, header)
    const first = sign(signed)
    const second = sign({ ...signed, timestamp: signed.timestamp + 5 })
    expect(second['webhook-id']).toBe(first['webhook-id'])
    expect(second[header]).toBe(first[header])
    expect(second['webhook-signature']).not.toBe(first['webhook-signature'])
    expect(second['webhook-signature']).toBe(standard(current, { ...signed, timestamp: signed.timestamp + 5 }))
    expect(sign(signed)).toEqual(first)
  })
})

describe('after a rotation', () => {
  test('both secrets sign, the new one first', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
    expect(createSigner({ current, previous }, header)(signed)).toEqual({
      'x-service-signature': hmac(Buffer.from(current), signed.body).toString('hex'),
      'x-service-signature-previous': hmac(Buffer.from(previous), signed.body).toString('hex'),
      'x-nylas-signature': hmac(Buffer.from(current), signed.body).toString('hex'),
      'webhook-id': 'n-1',
      'webhook-timestamp': '1739223252',
      'webhook-signature': `${standard(current, signed)} ${standard(previous, signed)}`,
    })
  })

  test('without an old secret only one signs', () => {
    const current = newWebhookSecret()
    const headers = createSigner({ current }, header)(signed)
    expect(headers).not.toHaveProperty('x-service-signature-previous')
    expect(headers['webhook-signature']).toBe(standard(current, signed))
  })
})

describe('a new secret', () => {
  test('is whsec_ with the base64 of 32 random bytes, never the same', () => {
    const secrets = Array.from({ length: 1000 }, newWebhookSecret)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(new Set(secrets).size).toBe(1000)
  })
})
