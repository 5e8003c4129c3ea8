/** A person who signs in at a simulated Google, new for each test, and the resulting tokens. */

import type { Engine } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Answer, TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'
import { googleClient, signIn, trade } from './hosted-google.ts'

export interface TokenSetup {
  readonly service: TestService
  readonly clock: TestClock
  /** The application, and the address of the person. */
  readonly client: { id: string; key: string }
  readonly email: string
  /** Another application. */
  newClient(): Promise<{ id: string; key: string }>
  /** Signs in, and returns the code. */
  code(query?: Record<string, string>): Promise<string>
  /** Requests a token. */
  token(body: object, key?: string | null): Promise<Answer>
  /** Signs in, and returns the response to the exchange. */
  traded(query?: Record<string, string>): Promise<Record<string, string>>
  refresh(refreshToken: string): Promise<Answer>
  /** The status of a request for the grant of an access token. */
  me(accessToken: string): Promise<number>
}

/** Opens a service with tokens for the tests of a suite. */
export function useTokenSetup(engine: Engine): TokenSetup {
  let google: GooglePeer
  let service: TestService
  let client: { id: string; key: string }
  let email: string
  let number = 0
  const clock = testClock()
  const newClient = () => googleClient(service, google.simulator)
  beforeAll(async () => {
    google = await openGoogle()
    service = await openGoogleService(google.simulator, { engine, overrides: { clock } })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await google?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    client = await newClient()
    email = `${engine}${++number}@gmail.com`
    google.simulator.addAccount({ email, name: 'Ada' })
  })

  const setup: TokenSetup = {
    clock,
    get service() {
      return service
    },
    get client() {
      return client
    },
    get email() {
      return email
    },
    newClient,
    code: async (query = {}) => (await signIn(service, client.id, { account: email, query })).code ?? '',
    token: (body, key = null) => service.call('POST', '/v3/connect/token', { key, body }),
    async traded(query) {
      const answer = await trade(service, client, await setup.code(query))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    },
    refresh: (refreshToken) =>
      setup.token({
        client_id: client.id,
        client_secret: client.key,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    me: async (accessToken) => (await service.call('GET', '/v3/grants/me', { key: accessToken })).status,
  }
  return setup
}

export function expectOAuthError(answer: Answer, error: string, status = 400): void {
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({
    error,
    error_code: status,
    error_description: expect.any(String),
    error_uri: expect.stringContaining('/docs'),
    request_id: answer.headers.get('x-request-id'),
  })
}
