/** Sign-in and tokens with the SDK. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../server/test/harness.ts'
import { createWaypost, newProofKey, signInUrl, WaypostError } from '../src/index.ts'

describe('the sign-in address', () => {
  test('has the given parameters, and requests a code', () => {
    const url = new URL(
      signInUrl('https://connect.test/base/', {
        client_id: 'app',
        redirect_uri: 'https://app.test/cb',
        provider: ['google', 'imap'],
        state: 'a b&c',
        include_grant_scopes: true,
        scope: undefined,
      }),
    )
    expect(url.origin + url.pathname).toBe('https://connect.test/base/v3/connect/auth')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'app',
      redirect_uri: 'https://app.test/cb',
      provider: 'google,imap',
      state: 'a b&c',
      include_grant_scopes: 'true',
      response_type: 'code',
    })
  })

  test('a PKCE key follows RFC 7636', async () => {
    const [one, two] = [await newProofKey(), await newProofKey()]
    expect(one.code_verifier).toMatch(/^[\w-]{43}$/)
    expect(one.code_challenge).toBe(hash('sha256', one.code_verifier, 'base64url'))
    expect(one.code_verifier).not.toBe(two.code_verifier)
  })
})

describe('tokens', () => {
  let service: TestService
  let baseUrl: string
  beforeAll(async () => {
    service = await openService()
    baseUrl = await service.listen()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('are issued for a grant, give access to it, can be inspected, and are revoked', async () => {
    const { id, key } = await service.createApplication('SDK')
    const grant = await service.createGrant('Room', key)
    const waypost = createWaypost({ baseUrl, apiKey: key })
    const { data: tokens, requestId } = await waypost.connect.token({
      body: { grant_type: 'client_credentials', client_id: id, grant_id: grant.id },
    })
    expect(tokens).toMatchObject({ grant_id: grant.id, token_type: 'Bearer', expires_in: 3600, email: 'Room' })
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    const user = createWaypost({ baseUrl, apiKey: tokens.access_token })
    expect((await user.grants.get({ grant_id: 'me' })).data.id).toBe(grant.id)
    const { data: info } = await waypost.connect.tokenInfo({ query: { id_token: tokens.id_token } })
    expect(info).toMatchObject({ sub: grant.id, aud: id })
    await waypost.connect.revoke({ query: { token: tokens.access_token } })
    await expect(user.grants.get({ grant_id: 'me' })).rejects.toMatchObject({ status: 401 })
  })

  test('that are refused have the OAuth error, after one attempt', async () => {
    let tries = 0
    const waypost = createWaypost({
      baseUrl,
      fetch: (input, init) => {
        tries++
        return fetch(input, init)
      },
    })
    const refused = waypost.connect.token({
      body: { grant_type: 'authorization_code', client_id: 'nobody', code: 'x' },
    })
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WaypostError)
    expect(error).toMatchObject({ type: 'invalid_client', status: 401, message: expect.stringContaining('client_id') })
    expect(tries).toBe(1)
  })
})
