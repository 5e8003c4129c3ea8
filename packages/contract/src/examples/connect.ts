import type { connect } from '../connect.ts'
import type { TokenAnswer } from '../tokens.ts'
import type { ExamplesOf } from './example.ts'
import { grant, virtualGrant } from './grants.ts'
import { applicationId, grantId } from './shared.ts'

const accessToken = 'wpat_Zk3vQ0m8XcT1yB6nJ4sL9wR2pH7dF5aGuEoKiV0tNxM'
const refreshToken = 'wprt_B7nC2xK9vM4qS1tY6wZ3rP8hL5jD0fG2aEuIoVkTyNs'

const tokens: TokenAnswer = {
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: 3600,
  grant_id: grantId,
  email: grant.email,
  scope: grant.scope.join(' '),
  provider: 'google',
  refresh_token: refreshToken,
  id_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI2ZTFmOWE1MiJ9.c2lnbmF0dXJl',
}
const { provider: _provider, refresh_token: _refresh, ...further } = tokens

export const connectExamples: ExamplesOf<typeof connect> = {
  guide: {
    query: { provider: 'virtual-calendar' },
    answer: [
      {
        provider: 'virtual-calendar',
        title: 'Virtual calendars kept by the service',
        available: true,
        connector: true,
        settings: [
          {
            name: 'email',
            required: true,
            description: 'Identifier of the account: any string, not necessarily an address',
          },
        ],
        example: { provider: 'virtual-calendar', settings: { email: '<email>' } },
      },
    ],
  },
  custom: {
    summary: 'A virtual account',
    body: { provider: 'virtual-calendar', settings: { email: virtualGrant.email } },
    answer: virtualGrant,
    more: {
      google: {
        summary: 'A Google account, with a refresh token of your client',
        body: {
          provider: 'google',
          settings: { refresh_token: 'the refresh token of the user' },
          state: 'from-settings-page',
          external_id: 'user-4711',
        },
        answer: { ...grant, user_agent: null, ip: null },
      },
      imap: {
        summary: 'A mailbox with IMAP and SMTP',
        body: {
          provider: 'imap',
          settings: {
            imap_username: 'jonas@example.org',
            imap_password: 'an app password',
            imap_host: 'imap.example.org',
            smtp_host: 'smtp.example.org',
          },
        },
        answer: {
          ...virtualGrant,
          id: '1f94c7e0-8a35-4d62-b7f9-c60d23e5a814',
          provider: 'imap',
          email: 'jonas@example.org',
          settings: {
            imap_username: 'jonas@example.org',
            imap_host: 'imap.example.org',
            imap_port: 993,
            smtp_host: 'smtp.example.org',
            smtp_port: 465,
          },
        },
      },
    },
  },
  token: {
    summary: 'Code of a hosted sign-in',
    body: {
      grant_type: 'authorization_code',
      client_id: applicationId,
      client_secret: 'the API key of the application',
      code: 'the code that came back with the browser',
      redirect_uri: 'https://app.example.com/connected',
    },
    answer: tokens,
    more: {
      refresh: {
        summary: 'A refresh token',
        body: {
          grant_type: 'refresh_token',
          client_id: applicationId,
          client_secret: 'the API key of the application',
          refresh_token: refreshToken,
        },
        answer: { ...further, refresh_token: refreshToken },
      },
      grant: {
        summary: 'An existing grant',
        body: {
          grant_type: 'client_credentials',
          client_id: applicationId,
          client_secret: 'the API key of the application',
          grant_id: grantId,
        },
        answer: further,
      },
    },
  },
  tokenInfo: {
    query: { access_token: accessToken },
    answer: {
      iss: 'https://waypost.example.com',
      aud: applicationId,
      sub: grantId,
      email: grant.email,
      iat: 1_739_223_240,
      exp: 1_739_226_840,
    },
  },
  revoke: { query: { token: accessToken }, body: {} },
}
