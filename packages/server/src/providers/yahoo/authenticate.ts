/** Custom authentication: a refresh token that the application holds, or an app password that the user made. */
import { invalidField } from '../../lib/api-error.ts'
import type { Identity, ProviderClient } from '../identity.ts'
import { tryMailServers } from '../imap/try-servers.ts'
import type { Io } from '../io.ts'
import { identifyByRefreshToken, needGranted } from '../shared/oauth-client.ts'
import { text } from '../shared/oauth-token.ts'
import { identify, refresh } from './oauth.ts'
import { canonicalScope, identityScope } from './scopes.ts'
import { accountsAt } from './session.ts'

export function authenticate(
  settings: Record<string, unknown>,
  io: Io,
  { client, scope }: { client: ProviderClient; scope: readonly string[] | undefined },
): Promise<Identity> {
  return settings.username === undefined ? byToken(settings, io, { client, scope }) : byPassword(settings, io)
}

async function byToken(
  settings: Record<string, unknown>,
  io: Io,
  { client, scope }: { client: ProviderClient; scope: readonly string[] | undefined },
): Promise<Identity> {
  const redirectUri = text(settings.redirect_uri)
  // Where neither the tokens nor Yahoo say what they are good for, the application is believed.
  const told = {
    refresh: (...[of, credentials, ways]: Parameters<typeof refresh>) =>
      refresh(of, { ...credentials, ...(redirectUri ? { redirect_uri: redirectUri } : {}) }, ways),
    identify: (...[of, tokens, ways]: Parameters<typeof identify>) => identify(of, { ...tokens, redirectUri }, ways),
  }
  const identity = await identifyByRefreshToken(told, settings, client, io)
  const given = scope
    ? { ...identity, scope: [...new Set([...identityScope, ...scope.map(canonicalScope)])] }
    : identity
  needGranted(given, identityScope)
  return given
}

/** An address with a password for mail programs: tried at the servers. */
async function byPassword(settings: Record<string, unknown>, io: Io): Promise<Identity> {
  const username = String(settings.username)
  if (!/^[^\s@]+@[^\s@]+$/.test(username))
    throw invalidField('settings.username', 'must be the whole address of the account')
  const password = String(settings.password)
  const accounts = accountsAt({ user: username, password }, io)
  const { watchFrom } = await tryMailServers(accounts, io, {
    watched: true,
    settingOf: (_protocol, fault) => (fault === 'password' || fault === 'username' ? fault : undefined),
  })
  return {
    email: username,
    name: null,
    providerUserId: null,
    scope: [],
    settings: { username },
    credentials: { password, ...(watchFrom === undefined ? {} : { watch_from: watchFrom }) },
  }
}
