/** Custom authentication: with a refresh token from the application, or with an app password from the user. */
import { invalidField } from '@waypost/platform/api-error'
import type { Identity, ProviderClient } from '../identity.ts'
import { findDavSettings } from '../imap/dav-settings.ts'
import { tryMailServers } from '../imap/try-servers.ts'
import type { Io } from '../io.ts'
import { vendors } from '../mail/vendors.ts'
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
  // If neither the tokens nor Yahoo report the scopes, those stated by the application count.
  const reported = {
    refresh: (...[of, credentials, network]: Parameters<typeof refresh>) =>
      refresh(of, { ...credentials, ...(redirectUri ? { redirect_uri: redirectUri } : {}) }, network),
    identify: (...[of, tokens, network]: Parameters<typeof identify>) =>
      identify(of, { ...tokens, redirectUri }, network),
  }
  const identity = await identifyByRefreshToken(reported, settings, client, io)
  const given = scope
    ? { ...identity, scope: [...new Set([...identityScope, ...scope.map(canonicalScope)])] }
    : identity
  needGranted(given, identityScope)
  return given
}

/** Finds the calendars and contacts. A server that rejects the account is left out, and the reason is reported. */
async function davSettings(user: string, password: string, io: Io): Promise<Record<string, unknown>> {
  const { imap, caldav, carddav } = io.providerServers
  // Credentials for replacement servers are not sent to Yahoo.
  const other = imap === undefined ? undefined : 'none'
  const settings = { imap_username: user, caldav_url: caldav ?? other, carddav_url: carddav ?? other }
  const account = { settings, credentials: { imap_password: password }, imapHost: vendors.yahoo?.hosts?.imap ?? '' }
  const found = await findDavSettings(account, io)
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== 'none'))
}

/** An address with an app password: tested at the servers. */
async function byPassword(settings: Record<string, unknown>, io: Io): Promise<Identity> {
  const username = String(settings.username)
  if (!/^[^\s@]+@[^\s@]+$/.test(username))
    throw invalidField('settings.username', 'must be the full email address of the account')
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
    settings: { username, ...(await davSettings(username, password, io)) },
    credentials: { password, ...(watchFrom === undefined ? {} : { watch_from: watchFrom }) },
  }
}
