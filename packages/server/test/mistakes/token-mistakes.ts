/** Mistakes in getting tokens, in the hosted sign-in, and in using grants. */
import type { Json } from '../conformance/accounts.ts'
import type { Mistake } from './mistakes.ts'

const token = (name: string, body: Json, status: number, says: readonly RegExp[]): Mistake => ({
  ...{ name: `token: ${name}`, call: 'POST /v3/connect/token', body, isPublic: true, status, says },
})
const exchange = {
  grant_type: 'authorization_code',
  client_id: '{application}',
  code: 'x',
  redirect_uri: 'https://app.test/back',
}

export const tokenMistakes: readonly Mistake[] = [
  token('without a client secret', { ...exchange, grant_type: 'refresh_token', refresh_token: 'x' }, 401, [
    /client_secret/,
    /API key/,
  ]),
  token(
    'without a client secret, for a grant',
    { grant_type: 'client_credentials', client_id: '{application}', grant_id: '{mail}' },
    401,
    [/client_secret/, /API key/],
  ),
  token(
    'with a wrong client secret',
    { grant_type: 'client_credentials', client_id: '{application}', client_secret: 'wrong', grant_id: '{mail}' },
    401,
    [/client_secret/, /API key/],
  ),
  token('with an API key as client id', { ...exchange, client_id: '{key}' }, 401, [
    /client_id/,
    /API key/,
    /client_secret/,
  ]),
  token('with an unknown client id', { ...exchange, client_id: 'nobody' }, 401, [
    /client_id/,
    /GET \/v3\/applications|application/,
  ]),
  token(
    'with the key of another application',
    { grant_type: 'client_credentials', client_id: '{application}', client_secret: '{otherKey}', grant_id: '{mail}' },
    401,
    [/client_secret/, /another application/],
  ),
  token('without a client id', { ...exchange, client_id: undefined }, 400, [/client_id/]),
  token('without a grant type', { ...exchange, grant_type: undefined }, 400, [/grant_type/]),
  token('with an unknown grant type', { ...exchange, grant_type: 'password' }, 400, [
    /grant_type/,
    /authorization_code/,
  ]),
  token('without a code', { ...exchange, code: undefined }, 400, [/code/]),
  token('without a redirect URI', { ...exchange, redirect_uri: undefined }, 400, [/redirect_uri/]),
]

const auth = (name: string, query: string, says: readonly RegExp[]): Mistake => ({
  ...{ name: `auth: ${name}`, call: `GET /v3/connect/auth?${query}`, isPublic: true, status: 400, says },
})
const start = 'client_id={application}&redirect_uri=https%3A%2F%2Fapp.test%2Fback&response_type=code'

export const authMistakes: readonly Mistake[] = [
  auth('without a client id', 'redirect_uri=https%3A%2F%2Fapp.test%2Fback', [/client_id/]),
  auth('with an API key as client id', `${start.replace('{application}', '{key}')}`, [/client_id/, /API key/]),
  auth('with an unknown client id', `${start.replace('{application}', 'nobody')}`, [/client_id/]),
  auth('without a redirect URI', 'client_id={application}', [/redirect_uri/]),
  auth('with a redirect URI that is not registered', `client_id={application}&redirect_uri=https%3A%2F%2Felse.test`, [
    /redirect_uri/,
    /redirect-uris/,
  ]),
  {
    ...auth('with a misspelt scope', `${start}&provider=google&scope=gmail.modfy`, [
      /gmail\.modfy/,
      /did you mean .*gmail\.modify/,
    ]),
    status: 302,
  },
  {
    ...auth('with a scope of another provider', `${start}&provider=google&scope=Mail.Read`, [
      /Mail\.Read/,
      /Microsoft/,
    ]),
    status: 302,
  },
  { ...auth('with an unknown provider', `${start}&provider=gmail`, [/provider/, /google/]), status: 302 },
]

export const grantMistakes: readonly Mistake[] = [
  { name: 'grant: calendars of a mailbox', call: 'GET /v3/grants/{mail}/calendars', status: 422, says: [/caldav_url/] },
  {
    name: 'grant: events of a mailbox',
    call: 'GET /v3/grants/{mail}/events?calendar_id=primary',
    status: 422,
    says: [/caldav_url/],
  },
  {
    name: 'grant: an event for a mailbox',
    call: 'POST /v3/grants/{mail}/events?calendar_id=primary',
    body: { when: { date: '2027-01-01' } },
    status: 422,
    says: [/caldav_url/],
  },
  {
    name: 'grant: free/busy of a mailbox',
    call: 'POST /v3/grants/{mail}/calendars/free-busy',
    body: { start_time: 1, end_time: 2, emails: ['a@b.test'] },
    status: 422,
    says: [/caldav_url/],
  },
  {
    name: 'grant: mail of a virtual account',
    call: 'GET /v3/grants/{virtual}/messages',
    status: 422,
    says: [/virtual-calendar/, /calendars and events/],
  },
  {
    name: 'grant: misspelt scope',
    call: 'PATCH /v3/grants/{google}',
    body: { scope: ['gmail.modfy'] },
    status: 400,
    says: [/scope/, /did you mean .*gmail\.modify/],
  },
  {
    name: 'grant: scope of another provider',
    call: 'PATCH /v3/grants/{google}',
    body: { scope: ['Mail.Read'] },
    status: 400,
    says: [/scope/, /Microsoft/],
  },
  {
    name: 'grant: wrong password',
    call: 'PATCH /v3/grants/{mail}',
    body: { settings: { imap_password: 'new' } },
    status: 400,
    says: [/password/],
  },
  {
    name: 'grant: host alone',
    call: 'PATCH /v3/grants/{mail}',
    body: { settings: { imap_host: 'other.test' } },
    status: 400,
    says: [/imap_password/],
  },
  {
    name: 'grant: tenant alone',
    call: 'PATCH /v3/grants/{google}',
    body: { settings: { tenant: 'common' } },
    status: 400,
    says: [/refresh_token/],
  },
  { name: 'grant: unknown', call: 'GET /v3/grants/no-such-grant/messages', status: 404, says: [/grant/] },
  { name: 'grant: me with an API key', call: 'GET /v3/grants/me', status: 401, says: [/me/, /access token/] },
]
