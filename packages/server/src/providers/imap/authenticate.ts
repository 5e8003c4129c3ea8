/** Tries an account at its servers: nothing is stored unless IMAP, and SMTP where it is named, let it in. */
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { Identity } from '../identity.ts'
import type { Io } from '../io.ts'
import { ConnectionFailed, type Failure } from '../mail/connection-failed.ts'
import type { Account, Security } from '../mail/server-account.ts'
import { trySmtp } from '../smtp/connection.ts'
import { accountsOf, addressOf } from './account.ts'
import { connect } from './connections/connection.ts'
import { toApiError } from './errors.ts'
import { listFolders } from './index/directory.ts'
import { beginning } from './watch/watch.ts'

const secretNames = ['imap_password', 'imap_access_token', 'smtp_password'] as const

export async function authenticate(settings: Record<string, unknown>, io: Io): Promise<Identity> {
  const email = addressOf(settings)
  const credentials = Object.fromEntries(
    secretNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  )
  const { imap, smtp } = accountsOf(settings, credentials)
  // Whatever comes from here on is told of, however long it takes until somebody watches.
  let begin: string | undefined
  const imapSecurity = await inWords('imap', imap, async () => {
    const { client, security } = await connect(imap, io)
    if (settings.watch !== false) begin = await beginning(client, listFolders, Math.floor(io.clock.now() / 1000))
    await client.logout().catch(() => client.close())
    return security
  })
  const smtpSecurity = smtp && (await inWords('smtp', smtp, () => trySmtp(smtp, io)))
  return {
    email,
    name: null,
    providerUserId: null,
    scope: [],
    settings: {
      imap_username: imap.auth.user,
      imap_host: imap.host,
      imap_port: imap.port,
      imap_security: imapSecurity,
      ...(smtp
        ? { smtp_username: smtp.auth.user, smtp_host: smtp.host, smtp_port: smtp.port, smtp_security: smtpSecurity }
        : {}),
      ...(settings.email === undefined ? {} : { email }),
      ...(settings.watch === undefined ? {} : { watch: settings.watch }),
    },
    credentials: { ...credentials, ...(begin === undefined ? {} : { watch_from: begin }) },
  }
}

/** The setting that each kind of failure is about. */
const settingOf: Record<Failure, string> = {
  host: 'host',
  address: 'host',
  port: 'port',
  connect: 'host',
  tls: 'host',
  timeout: 'host',
  credentials: 'password',
  method: 'password',
  limit: 'username',
  unavailable: 'host',
  protocol: 'port',
}

async function inWords(protocol: 'imap' | 'smtp', account: Account, work: () => Promise<Security>): Promise<Security> {
  try {
    return await work()
  } catch (error) {
    // What a server refuses once the account is let in says nothing of the settings.
    if (!(error instanceof ConnectionFailed)) throw toApiError(error)
    const { failure, message } = error
    const isSecret = settingOf[failure] === 'password'
    const name = isSecret && 'accessToken' in account.auth ? 'access_token' : settingOf[failure]
    const field = `settings.${protocol}_${name}`
    const problem = `${field}: ${message}`
    const fields = { reason: `${failure}_failed`, field }
    if (failure === 'credentials') throw new ApiError('authentication_failed', problem, { fields, cause: error })
    if (failure === 'timeout' || failure === 'unavailable')
      throw new ApiError('provider_unavailable', problem, { fields, cause: error })
    if (failure === 'limit')
      throw new ApiError('provider_rate_limited', problem, { fields, retryAfter: 10, cause: error })
    throw new ApiError('invalid_request', problem, { ...invalidField(field, message).details, fields, cause: error })
  }
}
