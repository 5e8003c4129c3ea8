/** Tests an account at its servers. Nothing is stored unless IMAP and all other named servers accept it. */
import type { Identity } from '../identity.ts'
import type { Io } from '../io.ts'
import { accountsOf, addressOf } from './account.ts'
import { findDavSettings } from './dav-settings.ts'
import { tryMailServers } from './try-servers.ts'

const secretNames = ['imap_password', 'imap_access_token', 'smtp_password', 'dav_password'] as const

export async function authenticate(settings: Record<string, unknown>, io: Io): Promise<Identity> {
  const email = addressOf(settings)
  const credentials = Object.fromEntries(
    secretNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  )
  const accounts = accountsOf(settings, credentials)
  const { imap, smtp } = accounts
  const tried = await tryMailServers(accounts, io, {
    watched: settings.watch !== false,
    settingOf: (protocol, fault) => `${protocol}_${fault}`,
  })
  const dav = await findDavSettings({ settings, credentials, imapHost: imap.host }, io)
  return {
    email,
    name: null,
    providerUserId: null,
    scope: [],
    settings: {
      imap_username: imap.auth.user,
      imap_host: imap.host,
      imap_port: imap.port,
      imap_security: tried.imap,
      ...(smtp
        ? { smtp_username: smtp.auth.user, smtp_host: smtp.host, smtp_port: smtp.port, smtp_security: tried.smtp }
        : {}),
      ...dav,
      ...(settings.email === undefined ? {} : { email }),
      ...(settings.watch === undefined ? {} : { watch: settings.watch }),
    },
    credentials: { ...credentials, ...(tried.watchFrom === undefined ? {} : { watch_from: tried.watchFrom }) },
  }
}
