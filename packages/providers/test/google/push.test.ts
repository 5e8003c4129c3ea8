/** A push is accepted only if it comes from Google, is meant for this address, and is not too old. */

import { ApiError } from '@waypost/platform/api-error'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { receive } from '../../src/google/push.ts'
import type { Io } from '../../src/io.ts'
import type { PushRequest } from '../../src/provider.ts'

const address = 'https://waypost.example/v3/push/google/mail'
const now = Date.parse('2026-06-01T12:00:00Z')
const data = Buffer.from(JSON.stringify({ emailAddress: 'ada@example.com', historyId: 7 })).toString('base64')
const body = Buffer.from(JSON.stringify({ message: { data, messageId: '1' } }))

describe('a push', () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let strangers: typeof keys
  let fetched = 0
  let io: Io
  beforeAll(async () => {
    keys = await generateKeyPair('RS256')
    strangers = await generateKeyPair('RS256')
    const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] }
    const request: Io['request'] = async () => {
      fetched += 1
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(jwks)), truncated: false }
    }
    const retained = new Map<string, object>()
    io = {
      request,
      shared: (name, make) => {
        const value = (retained.get(name) as ReturnType<typeof make> | undefined) ?? make()
        retained.set(name, value)
        return value
      },
      clock: { now: () => now },
      signal: new AbortController().signal,
      providerUrl: 'http://keys.test',
    } as Io
  })

  const token = (claims: Record<string, unknown> = {}, { key = keys.privateKey, kid = 'k1' } = {}) =>
    new SignJWT({ email: 'push@p.iam.gserviceaccount.com', email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(typeof claims.iss === 'string' ? claims.iss : 'https://accounts.google.com')
      .setAudience(typeof claims.aud === 'string' ? claims.aud : address)
      .setExpirationTime(typeof claims.exp === 'number' ? claims.exp : now / 1000 + 3600)
      .sign(key)

  const posted = (path: string, headers: Record<string, string>, content: Uint8Array = body): PushRequest => ({
    path,
    query: new URLSearchParams(),
    header: (name) => headers[name] ?? null,
    body: content,
    address,
  })
  const mail = (bearer: string, content?: Uint8Array) =>
    receive(posted('mail', { authorization: `Bearer ${bearer}` }, content), io)

  test('identifies the changed mailbox; the keys are fetched once', async () => {
    expect(await mail(await token())).toEqual({ hints: [{ email: 'ada@example.com' }] })
    expect(await mail(await token())).toEqual({ hints: [{ email: 'ada@example.com' }] })
    expect(fetched).toBe(1)
  })

  test('is not accepted otherwise', async () => {
    const wrong = [
      await token({ aud: 'https://elsewhere.example/' }),
      await token({ iss: 'https://evil.example' }),
      await token({ exp: now / 1000 - 3600 }),
      await token({ email_verified: false }),
      await token({}, { key: strangers.privateKey }),
      await token({}, { kid: 'unknown' }),
      'nonsense',
    ]
    for (const bearer of wrong) await expect(mail(bearer)).rejects.toMatchObject({ code: 'not_found' })
    await expect(receive(posted('mail', {}), io)).rejects.toBeInstanceOf(ApiError)
    await expect(mail(await token(), Buffer.from('no JSON'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(receive(posted('other', {}), io)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of a calendar is identified by the token of its channel; the first one reports no change', async () => {
    const headers = { 'x-goog-channel-token': 'secret', 'x-goog-resource-state': 'exists' }
    expect(await receive(posted('calendar', headers), io)).toEqual({ hints: [{ token: 'secret' }] })
    expect(await receive(posted('calendar', { ...headers, 'x-goog-resource-state': 'sync' }), io)).toEqual({
      hints: [],
    })
    await expect(receive(posted('calendar', {}), io)).rejects.toMatchObject({ code: 'not_found' })
  })
})
