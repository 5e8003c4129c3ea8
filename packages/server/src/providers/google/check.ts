/** Whether a connector will do: tried at Google's token endpoint with a code that nobody was given. */
import { ApiError } from '../../lib/api-error.ts'
import type { ConnectorCheck, ConnectorUse, Io, ProviderClient } from '../provider.ts'
import { askForTokens, text } from '../shared/oauth-token.ts'
import { fullScope, identityScope, scopes } from './scopes.ts'
import { endpoint } from './token-endpoint.ts'

const good = (name: string, message: string): ConnectorCheck => ({ name, ok: true, message })
const bad = (name: string, message: string): ConnectorCheck => ({ name, ok: false, message })

const known = new Set([...identityScope, ...Object.values(scopes).flat(2)])
/** Scopes of the parts of Google that this adapter uses: one of them that it does not know is a typing mistake. */
const used = /\/auth\/(gmail|calendar|contacts|directory|admin\.directory\.resource|userinfo)\b/

function checkScopes(scope: readonly string[]): ConnectorCheck {
  if (scope.length === 0) return good('scopes', 'None are set: mail, calendars and contacts are asked for.')
  const unknown = scope.map(fullScope).filter((each) => !known.has(each))
  const wrong = unknown.filter((each) => used.test(each) || /\s/.test(each))
  if (wrong.length > 0) return bad('scopes', `Google has no scope of this name: ${wrong.join(', ')}.`)
  if (unknown.length > 0) return good('scopes', `No operation of this service needs ${unknown.join(', ')}.`)
  return good('scopes', 'All are known.')
}

function checkTopic(topic: string | undefined): ConnectorCheck {
  if (topic === undefined)
    return good('topic_name', 'Not set: new mail is looked for now and then instead of being told.')
  return /^projects\/[a-z][a-z0-9-]{4,28}[a-z0-9]\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(topic)
    ? good('topic_name', 'It has the form that Google asks for.')
    : bad('topic_name', 'It must read projects/<project>/topics/<topic>.')
}

function checkAddress(redirectUri: string): ConnectorCheck {
  const { protocol, hostname } = new URL(redirectUri)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || isLocal
    ? good('redirect_uri', `Register ${redirectUri} at the client, letter for letter.`)
    : bad('redirect_uri', 'Google sends users only to https addresses: set WAYPOST_BASE_URL to one.')
}

async function checkClient({ data }: ProviderClient, redirectUri: string, io: Io): Promise<ConnectorCheck> {
  const [id, secret] = [text(data.client_id), text(data.client_secret)]
  if (!id || !secret) return bad('client', 'client_id and client_secret are missing.')
  const form = { grant_type: 'authorization_code', code: 'waypost-connector-test', redirect_uri: redirectUri }
  try {
    await askForTokens(endpoint, { ...form, client_id: id, client_secret: secret }, io)
    return good('client', 'Google accepts the client.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const said = error.details.providerError ?? {}
    const words = text(said.error_description) ?? text(said.error) ?? error.message
    // The code is none: that it is the one thing Google complains of says that the client is good.
    if (said.error === 'invalid_grant') return good('client', 'Google accepts the client.')
    if (said.error === 'redirect_uri_mismatch') {
      return bad('client', `Google accepts the client, but ${redirectUri} is not registered there.`)
    }
    if (said.error === 'invalid_client' || said.error === 'unauthorized_client') {
      return bad('client', `Google does not know this client_id, or the client_secret is another one (${words}).`)
    }
    return bad('client', `Google could not be asked: ${words}`)
  }
}

/** Looks at everything that a connector to Google needs. */
export async function check(
  client: ProviderClient,
  { scope, redirectUri }: ConnectorUse,
  io: Io,
): Promise<ConnectorCheck[]> {
  return [
    await checkClient(client, redirectUri, io),
    checkAddress(redirectUri),
    checkScopes(scope),
    checkTopic(text(client.settings.topic_name)),
  ]
}
