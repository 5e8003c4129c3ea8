/** Tests an iCloud account at Apple's servers. Nothing is stored unless all of them accept it. */
import { ApiError } from '@waypost/platform/api-error'
import { findDav } from '../dav/session.ts'
import type { Identity } from '../identity.ts'
import { type Fault, type Tried, tryMailServers } from '../imap/try-servers.ts'
import type { Io } from '../io.ts'
import { accountsOf, addressOf, davServersOf, imapUsersOf } from './session.ts'

/** Apple's servers reject the ordinary password of an Apple Account like any wrong password. */
const wrongPassword =
  'iCloud did not accept the sign-in. Use an app-specific password, not the ordinary password of the Apple Account: create one at account.apple.com under Sign-In and Security, and enter it with the address of the account'

const settings: Partial<Record<Fault, string>> = { username: 'username', password: 'password' }

export async function authenticate(given: Record<string, unknown>, io: Io): Promise<Identity> {
  const email = addressOf(given)
  const { imapUser, tried } = await tryMail(given, io)
  await tryDav(given, io)
  return {
    email,
    name: null,
    providerUserId: null,
    scope: [],
    settings: {
      username: given.username,
      imap_username: imapUser,
      ...(given.email === undefined ? {} : { email }),
      ...(given.watch === undefined ? {} : { watch: given.watch }),
    },
    credentials: {
      password: given.password,
      ...(tried.watchFrom === undefined ? {} : { watch_from: tried.watchFrom }),
    },
  }
}

/** Tests the mail servers with each possible login name. */
async function tryMail(given: Record<string, unknown>, io: Io): Promise<{ imapUser: string; tried: Tried }> {
  let refused: unknown
  for (const imapUser of imapUsersOf(given)) {
    const accounts = accountsOf({ ...given, imap_username: imapUser }, given, io)
    try {
      const tried = await tryMailServers(accounts, io, {
        watched: given.watch !== false,
        settingOf: (_protocol, fault) => settings[fault],
      })
      return { imapUser, tried }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'authentication_failed') throw error
      refused = error
    }
  }
  throw passwordRefused(refused)
}

/** Tests the calendar and contact servers, which only know the primary address of the Apple Account. */
async function tryDav(given: Record<string, unknown>, io: Io): Promise<void> {
  const { caldavUrl, carddavUrl, ...servers } = davServersOf(given, given, io)
  try {
    await Promise.all([
      findDav(io, 'caldav', { ...servers, url: caldavUrl }),
      findDav(io, 'carddav', { ...servers, url: carddavUrl }),
    ])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'grant_invalid') throw otherAddress(error)
    throw new ApiError(
      'provider_unavailable',
      `the calendars and contacts of iCloud cannot be used at the moment: ${error.message}`,
      {
        cause: error,
      },
    )
  }
}

/** The mail servers also accept an alias. */
const otherAddress = (cause: unknown): ApiError =>
  new ApiError(
    'authentication_failed',
    'settings.username: iCloud accepts the account for mail, but not for calendars and contacts: set username to the primary address of the Apple Account, and email to the address of the mailbox',
    { fields: { reason: 'credentials_failed', field: 'settings.username' }, cause },
  )

const passwordRefused = (cause: unknown): ApiError =>
  new ApiError('authentication_failed', `settings.password: ${wrongPassword}`, {
    fields: { reason: 'credentials_failed', field: 'settings.password' },
    cause,
  })
