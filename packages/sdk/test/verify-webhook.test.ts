/**
 * `verifyWebhook` against the server's own signer, the published `standardwebhooks`, the contract's vector, and
 * forgeries.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sampleNotification, triggerNames } from '@waypost/contract'
import { isCheck, runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createSigner, newWebhookSecret } from '../../server/src/webhooks/transports/sign.ts'
import {
  challengeOf,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from '../src/index.ts'

const header = 'x-service-signature'
const time = 1_739_223_252
const now = time * 1000
const secret = newWebhookSecret()
const notification = sampleNotification('event.created', { id: 'n-1', time, applicationId: 'app-1' })
const text = JSON.stringify({ ...notification, data: { ...notification.data, note: 'ä€\u{1F600}' } })

interface Delivery {
  body: Buffer
  headers: Record<string, string>
}

/** A delivery as the server sends it. */
function deliver(
  body: Buffer | string,
  { previous, at = time, name = header, current = secret } = {} as Partial<
    Record<'previous' | 'name' | 'current', string>
  > & { at?: number },
): Delivery {
  const bytes = Buffer.from(body)
  return {
    body: bytes,
    headers: createSigner(
      { current, ...(previous ? { previous } : {}) },
      name,
    )({ id: 'n-1', timestamp: at, body: bytes }),
  }
}
const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.some((each) => name.startsWith(each))))
/** Only the body signature of the specification. */
const plain = (delivery: Delivery): Delivery => ({
  ...delivery,
  headers: without(delivery.headers, 'webhook-', 'x-nylas'),
})

/** Accepts deliveries whose signature has no timestamp. */
const timeless = { requireTimestamp: false }
const verify = (
  { body, headers }: { body: Buffer | string; headers: WebhookHeaders },
  options: VerifyWebhookOptions & { secrets?: string | string[] } = {},
) => verifyWebhook(body, headers, options.secrets ?? secret, { now, ...options })

async function expectRefusal(
  verifying: Promise<unknown>,
  reason: WebhookVerificationReason,
): Promise<WebhookVerificationError> {
  const error = await verifying.then(
    () => new Error('it was believed'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof WebhookVerificationError)) throw error
  expect(error.reason).toBe(reason)
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret.slice(6))
  return error
}

describe('a delivery of the server', () => {
  test('is accepted, and returns the notification with every field', async () => {
    expect(await verify(deliver(text))).toEqual(JSON.parse(text))
  })

  test('is accepted with only the timestamped signature; with only the other, under either name, on request', async () => {
    const delivery = deliver(text)
    expect(await verify({ ...delivery, headers: without(delivery.headers, 'x-') })).toMatchObject({ id: 'n-1' })
    for (const left of [['webhook-'], ['webhook-', 'x-service'], ['webhook-', 'x-nylas']]) {
      const stripped = { ...delivery, headers: without(delivery.headers, ...left) }
      expect(await verify(stripped, timeless)).toMatchObject({ id: 'n-1' })
      await expectRefusal(verify(stripped), 'missing_header')
    }
  })

  test.each(triggerNames)('of the trigger %s is accepted', async (name) => {
    const sample = sampleNotification(name, { id: 'n-1', time, applicationId: 'app-1' })
    expect(await verify(deliver(JSON.stringify(sample)))).toEqual(sample)
  })

  test('is typed by its trigger', async () => {
    const reported = await verify(deliver(text))
    expect(reported.type).toBe('event.created')
    if (reported.type === 'event.created') expectTypeOf(reported.data.object.calendar_id).toEqualTypeOf<string>()
    if (reported.type === 'grant.expired') expectTypeOf(reported.data.object.code).toEqualTypeOf<25009>()
    if (reported.type === 'event.created.truncated')
      expectTypeOf(reported.data.object.title).toExtend<string | null | undefined>()
    if (reported.type === 'message.created.metadata') {
      expectTypeOf(reported.data.object.headers).toExtend<{ name: string; value: string }[] | undefined>()
      expectTypeOf(reported.data.object).not.toHaveProperty('body')
    }
    if (reported.type === 'message.send_failed') expectTypeOf(reported.data.reason).toEqualTypeOf<string>()
    expectTypeOf(reported.grant_sequence).toEqualTypeOf<number>()
  })

  test('is accepted with any container of headers, in any case', async () => {
    const { body, headers } = deliver(text, { previous: newWebhookSecret() })
    const upper = Object.entries(headers).map(([name, value]): [string, string] => [name.toUpperCase(), value])
    const holders: WebhookHeaders[] = [
      headers,
      new Headers(headers),
      new Map(upper),
      upper,
      Object.fromEntries(upper),
      Object.fromEntries(upper.map(([name, value]) => [name, [value]])),
      { ...headers, host: undefined },
    ]
    for (const holder of holders) expect(await verify({ body, headers: holder })).toMatchObject({ id: 'n-1' })
  })

  test('is accepted as text, as bytes of any kind, and as a promise of them', async () => {
    const { body, headers } = deliver(text)
    const shared = new Uint8Array(body.length + 8)
    shared.set(body, 4)
    const exact = new Uint8Array(body)
    const forms = [text, body, exact, exact.buffer, shared.subarray(4, 4 + body.length), Promise.resolve(body)]
    for (const form of forms) {
      expect(await verifyWebhook(form, headers, secret, { now })).toMatchObject({ id: 'n-1' })
    }
  })

  test('is accepted as Node receives it, and as a web runtime does', async () => {
    const { body, headers } = deliver(gzipSync(text))
    const sent = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, 'content-encoding': 'gzip' } }
    const outcome = Promise.withResolvers<unknown>()
    const server = createServer((request, response) => {
      outcome.resolve(verifyWebhook(buffer(request), request.headers, secret, { now }))
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent)
    expect(await outcome.promise).toEqual(JSON.parse(text))
    server.closeAllConnections()
    server.close()
    const request = new Request('https://receiver.example', sent)
    expect(await verifyWebhook(request.arrayBuffer(), request.headers, secret, { now })).toEqual(JSON.parse(text))
  })

  test('sent as a test event is accepted with the fixed secret', async () => {
    const current = 'mock-webhook-secret'
    const delivery = deliver(text, { current })
    expect(await verify(delivery, { secrets: current })).toMatchObject({ id: 'n-1' })
    expect(await verify(plain(delivery), { ...timeless, secrets: current })).toMatchObject({ id: 'n-1' })
  })
})

describe('the signature over the body', () => {
  const vector = {
    secrets: 'Zq7-mT2xLw9_KfR4bVe8',
    signature: '9748d08ed755adcec78d2430f964c6549982d045beff732c14f05400398c9176',
    body: '{"specversion":"1.0","type":"grant.expired","source":"/nylas/system","id":"n-1","time":1739223251,"webhook_delivery_attempt":1,"data":{"application_id":"app-1","object":{"code":25009,"grant_id":"g-1","integration_id":"i-1","provider":"google"}}}',
  }

  test('of the contract is accepted, also in upper case and with the prefix sha256=', async () => {
    const { body, signature, secrets } = vector
    const forms = [
      signature,
      signature.toUpperCase(),
      `sha256=${signature}`,
      `SHA256=${signature.toUpperCase()}`,
      ` ${signature} `,
    ]
    for (const name of [header, 'x-nylas-signature']) {
      for (const form of forms) {
        expect(await verify({ body, headers: { [name]: form } }, { ...timeless, secrets })).toMatchObject({
          type: 'grant.expired',
        })
      }
    }
  })

  test('is found under the header name that the operator chose', async () => {
    const delivery = plain(deliver(text, { name: 'X-Acme-Signature' }))
    expect(await verify(delivery, { ...timeless, header: 'X-ACME-signature' })).toMatchObject({ id: 'n-1' })
    await expectRefusal(verify(delivery, timeless), 'missing_header')
  })

  test.for([
    ['is empty', ''],
    ['is cut off', vector.signature.slice(0, -2)],
    ['goes on', `${vector.signature}00`],
    ['is no hex', `${vector.signature.slice(0, -1)}g`],
    ['is base64', Buffer.from(vector.signature, 'hex').toString('base64')],
    ['is of another body', createHmac('sha256', vector.secrets).update('{}').digest('hex')],
    ['is of another secret', createHmac('sha256', 'another').update(vector.body).digest('hex')],
    ['is a plain hash', '0'.repeat(64)],
  ] as const)('that %s is refused', async ([, value]) => {
    const { body, secrets } = vector
    await expectRefusal(verify({ body, headers: { [header]: value } }, { ...timeless, secrets }), 'bad_signature')
  })

  test('has no timestamp: alone it is accepted only on request', async () => {
    const delivery = plain(deliver(text, { at: time - 86_400 }))
    const { message } = await expectRefusal(verify(delivery), 'missing_header')
    expect(message).toContain('webhook-timestamp')
    expect(await verify(delivery, timeless)).toMatchObject({ id: 'n-1' })
  })

  test('a recorded delivery that is sent again later is refused, whatever was removed from it', async () => {
    const seen = deliver(text, { at: time - 86_400 })
    const names = Object.keys(seen.headers)
    for (let retained = 0; retained < 2 ** names.length; retained++) {
      const headers = Object.fromEntries(
        names.filter((_, at) => retained & (1 << at)).map((name) => [name, seen.headers[name]]),
      )
      const believed = await verify({ ...seen, headers }).then(
        () => true,
        () => false,
      )
      expect([headers, believed]).toEqual([headers, false])
    }
  })

  test('only the value false turns off the required timestamp', async () => {
    const delivery = plain(deliver(text))
    for (const value of [undefined, null, 0, '', 'false']) {
      await expectRefusal(verify(delivery, { requireTimestamp: value as unknown as boolean }), 'missing_header')
    }
  })
})

describe('Standard Webhooks', () => {
  const published = new Webhook(secret)

  test('signed by the package standardwebhooks is accepted', async () => {
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(time),
      'webhook-signature': published.sign('msg_1', new Date(now), text),
    }
    expect(await verify({ body: text, headers })).toMatchObject({ id: 'n-1' })
  })

  test('signed by the server is accepted here and by the package standardwebhooks', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const { body, headers } = deliver(text, { at: seconds, previous: newWebhookSecret() })
    expect(published.verify(body, headers)).toEqual(JSON.parse(text))
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(text))
  })

  test('agrees with the package standardwebhooks on signatures of every shape', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const good = deliver(text, { at: seconds })
    const other = deliver(text, { at: seconds, current: newWebhookSecret() })
    const piece = fc.constantFrom(
      good.headers['webhook-signature'] ?? '',
      other.headers['webhook-signature'] ?? '',
      (good.headers['webhook-signature'] ?? '').replace('v1,', 'v2,'),
      (good.headers['webhook-signature'] ?? '').slice(0, -4),
      'v1,',
      'v1',
      'v1a,AAAA',
      'v1,€',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const headers = { ...good.headers, 'webhook-signature': pieces.join(' ') }
        let expected = true
        try {
          published.verify(good.body, headers)
        } catch {
          expected = false
        }
        const believed = await verifyWebhook(good.body, headers, secret).then(
          () => true,
          (error) => {
            if (error instanceof WebhookVerificationError) return false
            throw error
          },
        )
        expect(believed).toBe(expected)
      }),
      { numRuns: runs(200) },
    )
  })

  test('decides if its headers are present: the other signature does not replace it', async () => {
    const { body, headers } = deliver(text)
    await expectRefusal(verify({ body, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } }), 'bad_signature')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { message } = await expectRefusal(verify({ body, headers: without(headers, name) }), 'missing_header')
      expect(message).toContain(name)
    }
  })

  test.for([0, 300, -300])('%s seconds old is accepted', async (age) => {
    expect(await verify(deliver(text, { at: time - age }))).toMatchObject({ id: 'n-1' })
  })

  test('sent again later is refused, as is one from the future; the tolerance can be set', async () => {
    await expectRefusal(verify(deliver(text, { at: time - 301 })), 'too_old')
    await expectRefusal(verify(deliver(text, { at: time + 301 })), 'too_new')
    const old = deliver(text, { at: time - 60 })
    await expectRefusal(verify(old, { tolerance: 59 }), 'too_old')
    expect(await verify(old, { tolerance: 60 })).toMatchObject({ id: 'n-1' })
    expect(await verify(deliver(text, { at: 0 }), { tolerance: Number.POSITIVE_INFINITY })).toMatchObject({ id: 'n-1' })
    await expectRefusal(verify(deliver(text), { tolerance: Number.NaN }), 'too_new')
  })

  test('with another or an invalid time, or another id, is refused', async () => {
    const { body, headers } = deliver(text)
    for (const change of [{ 'webhook-timestamp': String(time + 1) }, { 'webhook-id': 'n-2' }, { 'webhook-id': '' }]) {
      await expectRefusal(verify({ body, headers: { ...headers, ...change } }), 'bad_signature')
    }
    for (const value of ['', 'soon', '-1', '1e9', `${time}.5`, ' ', '9'.repeat(16), 'NaN']) {
      await expectRefusal(verify({ body, headers: { ...headers, 'webhook-timestamp': value } }), 'malformed_header')
    }
    const twice = { ...headers, 'webhook-timestamp': [String(time), String(time + 1)] }
    await expectRefusal(verify({ body, headers: twice }), 'malformed_header')
  })
})

describe('tampering', () => {
  /** Every place is changed in `npm run check`, and one of seven in `npm test`. */
  const step = isCheck ? 1 : 7

  test('with any byte of the body is detected by both signatures', async () => {
    const delivery = deliver(JSON.stringify(notification))
    for (let at = 0; at < delivery.body.length; at += step) {
      const body = Buffer.from(delivery.body)
      body[at] = (body[at] ?? 0) ^ (1 << (at % 8))
      await expectRefusal(verify({ ...delivery, body }), 'bad_signature')
      await expectRefusal(verify({ ...plain(delivery), body }, timeless), 'bad_signature')
    }
  })

  test('by removing or adding bytes is detected', async () => {
    const delivery = deliver(text)
    const bodies = [
      delivery.body.subarray(1),
      delivery.body.subarray(0, -1),
      Buffer.from(`${text}\n`),
      Buffer.from(` ${text}`),
      '',
      `\uFEFF${text}`,
    ]
    for (const body of bodies) await expectRefusal(verify({ ...delivery, body }), 'bad_signature')
  })

  test('with any character of a signature is detected', async () => {
    const delivery = deliver(text)
    for (const [name, of] of [
      [header, plain(delivery)],
      ['webhook-signature', delivery],
    ] as const) {
      const value = of.headers[name] ?? ''
      for (let at = 0; at < value.length - 2; at += step) {
        const changed = `${value.slice(0, at)}${value[at] === '1' ? '2' : '1'}${value.slice(at + 1)}`
        await expectRefusal(verify({ ...of, headers: { ...of.headers, [name]: changed } }, timeless), 'bad_signature')
      }
    }
  })

  test('by removing the signatures is detected', async () => {
    for (const headers of [
      {},
      new Headers(),
      { 'content-type': 'application/json' },
      { [header]: undefined },
      { [header]: [] },
    ]) {
      const { message } = await expectRefusal(verify({ body: text, headers }), 'missing_header')
      expect(message).toContain('webhook-signature')
      expect((await expectRefusal(verify({ body: text, headers }, timeless), 'missing_header')).message).toContain(
        header,
      )
    }
  })

  test('by sending thousands of signatures takes no more work, and is refused', async () => {
    const { body, headers } = deliver(text)
    const many = Array.from({ length: 5000 }, (_, at) => `v1,${Buffer.alloc(32, at).toString('base64')}`).join(' ')
    await expectRefusal(verify({ body, headers: { ...headers, 'webhook-signature': many } }), 'bad_signature')
  })
})

describe('rotation', () => {
  const old = newWebhookSecret()
  const third = newWebhookSecret()
  const delivery = deliver(text, { previous: old })

  test('a delivery with two signatures is accepted with one of the secrets, or both', async () => {
    for (const each of [delivery, plain(delivery)]) {
      for (const secrets of [old, secret, [secret, old], [old, secret], [third, old]]) {
        expect(await verify(each, { ...timeless, secrets })).toMatchObject({ id: 'n-1' })
      }
      await expectRefusal(verify(each, { ...timeless, secrets: third }), 'bad_signature')
    }
  })

  test('a delivery with one signature is accepted with several secrets', async () => {
    expect(await verify(deliver(text), { secrets: [third, secret] })).toMatchObject({ id: 'n-1' })
    await expectRefusal(verify(deliver(text), { secrets: [third, old] }), 'bad_signature')
  })
})

describe('compressed bodies', () => {
  const gzip = { 'content-encoding': 'gzip' }

  test('are verified as received and then inflated', async () => {
    const { body, headers } = deliver(gzipSync(text))
    for (const encoding of ['gzip', 'GZIP', ' gzip ']) {
      expect(await verify({ body, headers: { ...headers, 'content-encoding': encoding } })).toEqual(JSON.parse(text))
    }
    await expectRefusal(verify({ body: gunzipSync(body), headers: { ...headers, ...gzip } }), 'bad_signature')
  })

  test('that were tampered with are never inflated', async () => {
    const { body, headers } = deliver(gzipSync(text))
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    for (const other of [bomb, body.subarray(1)]) {
      await expectRefusal(verify({ body: other, headers: { ...headers, ...gzip } }), 'bad_signature')
    }
  })

  test('are inflated up to 8 MB', async () => {
    const large = JSON.stringify({ ...notification, data: { object: { text: 'x'.repeat(8_000_000) } } })
    const fits = deliver(gzipSync(large))
    expect(await verify({ ...fits, headers: { ...fits.headers, ...gzip } })).toMatchObject({ id: 'n-1' })
    const bomb = deliver(gzipSync(Buffer.alloc(20_000_000, ' ')))
    await expectRefusal(verify({ ...bomb, headers: { ...bomb.headers, ...gzip } }), 'too_large')
  })

  test('that cannot be inflated are refused', async () => {
    for (const body of [Buffer.from(text), gzipSync(text).subarray(0, -9), Buffer.alloc(0)]) {
      const { headers } = deliver(body)
      await expectRefusal(verify({ body, headers: { ...headers, ...gzip } }), 'unreadable_encoding')
    }
    const { body, headers } = deliver(text)
    for (const encoding of ['br', 'gzip, gzip', 'deflate']) {
      await expectRefusal(
        verify({ body, headers: { ...headers, 'content-encoding': encoding } }),
        'unreadable_encoding',
      )
    }
    expect(await verify({ body, headers: { ...headers, 'content-encoding': 'identity' } })).toMatchObject({ id: 'n-1' })
  })
})

describe('signed bodies that are not a notification', () => {
  test.for(['', '{', 'hello', Buffer.from([0xff, 0xfe, 0x7b, 0x7d])])('not JSON: %s', async (body) => {
    await expectRefusal(verify(deliver(body)), 'not_json')
  })
  test.for([
    'null',
    '[]',
    '"text"',
    '{}',
    '{"id":1}',
    JSON.stringify({ ...notification, data: [] }),
    JSON.stringify({ ...notification, specversion: '2.0' }),
  ])('not a notification: %s', async (body) => {
    await expectRefusal(verify(deliver(body)), 'not_a_notification')
  })
})

test('an invalid secret is an error of the receiver, and is not revealed', async () => {
  for (const secrets of ['', 'whsec_', 'whsec_€CANARY', [], [secret, '']]) {
    const error = await verify(deliver(text), { secrets }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toMatch(/CANARY/)
  }
})

describe('challengeOf', () => {
  const challenge = '01955f0c-7f6a-7c42-9d1e-5b8a3c60f217'
  test.for<[url: string | URL, found: string | undefined]>([
    [`/?challenge=${challenge}`, challenge],
    [`/hook?token=a&challenge=${challenge}`, challenge],
    [`https://acme.example/hook?challenge=${challenge}#end`, challenge],
    [new URL(`https://acme.example/hook?challenge=${challenge}`), challenge],
    [`//?challenge=${challenge}`, challenge],
    ['/hook', undefined],
    ['', undefined],
    ['/?challenge=', undefined],
    ['/?challenge=%3Cscript%3Ealert(1)%3C%2Fscript%3E', undefined],
    [`/?challenge=${'a'.repeat(257)}`, undefined],
    ['/?challenge=%E0%A4%A', undefined],
    ['http://[?challenge=a', 'a'],
  ])('of %s', ([url, found]) => {
    expect(challengeOf(url)).toBe(found)
  })
})
