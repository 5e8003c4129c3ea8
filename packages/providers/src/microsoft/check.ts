/** Tests a connector: its client at the token endpoint, its tenant and its scopes. */
import { ApiError } from '@waypost/platform/api-error'
import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import type { ConnectorCheck, ConnectorUse } from '../provider.ts'
import {
  bad,
  type Complaint,
  checkAddress,
  checkClient,
  checkScopes,
  good,
  type KnownScopes,
} from '../shared/connector-check.ts'
import { text } from '../shared/oauth-token.ts'
import { applicationTokens, clientForm } from './client.ts'
import { scopeNames } from './scopes.ts'
import { endpointFor, isDirectory, tenantOf } from './token-endpoint.ts'

/** Permissions of the areas that this adapter uses. An unknown one is a typing mistake, unless it is listed here. */
const used = /^(Mail|Calendars|Contacts|MailboxSettings|People|Place|User)\./i
const alsoThere =
  /^(Mail\.Read(Basic)?(\.All|\.Shared)?|Calendars\.ReadBasic(\.All)?|MailboxSettings\.Read(Write)?|People\.Read\.All|User\.(ReadWrite|ReadBasic|Export|Invite|Manage)\w*(\.\w+)*)$/i
const known: KnownScopes = {
  ...scopeNames,
  isUsedPart: (scope) => used.test(scope) && !alsoThere.test(scope),
}

const accepted = good('client', 'Microsoft accepts the client.')

/** Interprets an error. `invalid_grant` means that the client is good and only the code is not. */
function judge({ error, words, said }: Complaint): ConnectorCheck {
  if (error === 'invalid_grant') return accepted
  const isMalformed = error === 'invalid_request' && String(said.error_description).includes('AADSTS9002313')
  if (isMalformed) {
    return good('client', 'Microsoft knows the client; whether its secret is right shows at the first sign-in.')
  }
  if (error === 'invalid_client' || error === 'unauthorized_client') return bad('client', `${words}.`)
  return bad('client', `Microsoft could not be asked: ${words}`)
}

/** In a single organization the client can get a token of its own; otherwise it is tested with an invented code. */
async function clientCheck(client: ProviderClient, redirectUri: string, io: Io): Promise<ConnectorCheck> {
  const { data } = client
  if (!text(data.client_id) || !(text(data.client_secret) || text(data.certificate))) {
    return bad('client', 'client_id and client_secret are missing.')
  }
  try {
    if (!isDirectory(tenantOf(client))) {
      return await checkClient(endpointFor(client), await clientForm(client, io), { redirectUri, judge }, io)
    }
    await applicationTokens(client, io)
    return accepted
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return bad('client', error.message)
  }
}

function checkTenant(tenant: string): ConnectorCheck {
  const isNamed = /^[\w-]+(\.[\w-]+)*$/.test(tenant)
  if (!isNamed) return bad('tenant', 'It must be the id of a directory, one of its domains, or common.')
  const words: Record<string, string> = {
    common: 'Personal accounts and those of all organizations can sign in.',
    organizations: 'Accounts of all organizations can sign in, and no personal ones.',
    consumers: 'Personal accounts can sign in, and none of organizations.',
  }
  return good('tenant', words[tenant.toLowerCase()] ?? 'Accounts of this organization can sign in.')
}

export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  return [
    await clientCheck(client, redirectUri, io),
    checkTenant(tenantOf(client)),
    checkAddress(redirectUri, { name: 'Microsoft' }),
    checkScopes(scope, known),
  ]
}
