/** An OpenID provider (the package `oidc-provider`) whose accounts sign in with only their address. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type ClientMetadata } from 'oidc-provider'

export interface OidcAccount {
  email: string
  name?: string
  /** Default: true. */
  verified?: boolean
}

export interface OidcPeer extends AsyncDisposable {
  issuer: string
  /** By subject. */
  accounts: Map<string, OidcAccount>
}

export const oidcClient = { client_id: 'waypost', client_secret: 'a secret of the client with % and +' }

/** Starts a provider whose only client may redirect to these addresses. */
export async function startOidc(redirectUris: string[], client: Partial<ClientMetadata> = {}): Promise<OidcPeer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, OidcAccount>()
  const provider = new Provider(issuer, {
    clients: [{ ...oidcClient, redirect_uris: redirectUris, ...client }],
    jwks: { keys: [await newKey()] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const account = accounts.get(id)
      if (!account) return undefined
      const { email, name, verified = true } = account
      return { accountId: id, claims: () => ({ sub: id, email, email_verified: verified, name }) }
    },
    // Skips the consent page.
    async loadExistingGrant({ oidc }) {
      const { client: requesting, session } = oidc
      const grant = new provider.Grant({ clientId: requesting?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, accounts, request, response)
    else void answer(request, response)
  })
  return {
    issuer,
    accounts,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() }
}

const page = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1><form method="post">
<label>Address <input name="address"></label><button name="do" value="login">Continue</button>
<button name="do" value="cancel">Cancel</button></form></main></html>`

/** Asks for the address and accepts it. */
async function interact(
  provider: Provider,
  accounts: Map<string, OidcAccount>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page)
    return
  }
  const form = new URLSearchParams(await text(request))
  const [subject] = [...accounts].find(([, { email }]) => email === form.get('address')) ?? []
  const isIn = form.get('do') === 'login' && subject !== undefined
  const result = isIn ? { login: { accountId: subject } } : { error: 'access_denied' }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}
