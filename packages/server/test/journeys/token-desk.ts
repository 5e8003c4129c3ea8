/** A person who signs in at a simulated Google, new for each test, and the tokens that come of it. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Answer, type Engine, type TestClock, type TestHouse, testClock } from '../harness.ts'
import { type GooglePeer, openGoogle, openGoogleHouse } from '../peers/google.ts'
import { googleClient, signIn, trade } from './hosted-google.ts'

export interface TokenDesk {
  readonly house: TestHouse
  readonly clock: TestClock
  /** The application, and the address of the person. */
  readonly client: { id: string; key: string }
  readonly email: string
  /** Another application. */
  newClient(): Promise<{ id: string; key: string }>
  /** Signs in, and answers the code. */
  code(query?: Record<string, string>): Promise<string>
  /** Asks for a token. */
  token(body: object, key?: string | null): Promise<Answer>
  /** Signs in, and answers what is given for the code. */
  traded(query?: Record<string, string>): Promise<Record<string, string>>
  refresh(refreshToken: string): Promise<Answer>
  /** How a request for the grant of an access token is answered. */
  me(accessToken: string): Promise<number>
}

/** Opens a desk for the tests of a suite. */
export function useTokenDesk(engine: Engine): TokenDesk {
  let google: GooglePeer
  let house: TestHouse
  let client: { id: string; key: string }
  let email: string
  let number = 0
  const clock = testClock()
  const newClient = () => googleClient(house, google.simulator)
  beforeAll(async () => {
    google = await openGoogle()
    house = await openGoogleHouse(google.simulator, { engine, overrides: { clock } })
  })
  afterAll(async () => {
    await house?.[Symbol.asyncDispose]()
    await google?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    client = await newClient()
    email = `${engine}${++number}@gmail.com`
    google.simulator.addAccount({ email, name: 'Ada' })
  })

  const desk: TokenDesk = {
    clock,
    get house() {
      return house
    },
    get client() {
      return client
    },
    get email() {
      return email
    },
    newClient,
    code: async (query = {}) => (await signIn(house, client.id, { account: email, query })).code ?? '',
    token: (body, key = null) => house.call('POST', '/v3/connect/token', { key, body }),
    async traded(query) {
      const answer = await trade(house, client, await desk.code(query))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    },
    refresh: (refreshToken) =>
      desk.token({
        client_id: client.id,
        client_secret: client.key,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    me: async (accessToken) => (await house.call('GET', '/v3/grants/me', { key: accessToken })).status,
  }
  return desk
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
