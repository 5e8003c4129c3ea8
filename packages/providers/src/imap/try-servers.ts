/** Tests whether the mail servers accept an account. Errors name the setting to correct. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Io } from '../io.ts'
import { ConnectionFailed, type Failure } from '../mail/connection-failed.ts'
import type { Account, Security } from '../mail/server-account.ts'
import { trySmtp } from '../smtp/connection.ts'
import type { Accounts } from './account.ts'
import { connect } from './client/connect.ts'
import { toApiError } from './errors.ts'
import { listFolders } from './index/folder-list.ts'
import { beginning } from './watch/watch.ts'

/** The settings that a failure is about. */
export type Fault = 'host' | 'port' | 'username' | 'password' | 'access_token'

export interface TryOptions {
  /** Whether the account will be watched. */
  watched: boolean
  /** The name of the setting; undefined if the user cannot change it, such as the servers of a well-known vendor. */
  settingOf(protocol: 'imap' | 'smtp', fault: Fault): string | undefined
}

/** How each server is encrypted, and the initial watch cursor. */
export interface Tried {
  imap: Security
  smtp: Security | undefined
  watchFrom: string | undefined
}

export async function tryMailServers({ imap, smtp }: Accounts, io: Io, options: TryOptions): Promise<Tried> {
  // All later changes are reported, however long it takes until a node watches the account.
  let watchFrom: string | undefined
  const imapSecurity = await inWords({ protocol: 'imap', account: imap }, options, async () => {
    const { client, security } = await connect(imap, io)
    if (options.watched) watchFrom = await beginning(client, listFolders, Math.floor(io.clock.now() / 1000))
    await client.logout().catch(() => client.close())
    return security
  })
  const smtpSecurity = smtp && (await inWords({ protocol: 'smtp', account: smtp }, options, () => trySmtp(smtp, io)))
  return { imap: imapSecurity, smtp: smtpSecurity, watchFrom }
}

const faultOf: Record<Failure, Fault> = {
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

interface Trying {
  protocol: 'imap' | 'smtp'
  account: Account
}

async function inWords(trying: Trying, options: TryOptions, work: () => Promise<Security>): Promise<Security> {
  try {
    return await work()
  } catch (error) {
    // A refusal after the login says nothing about the settings.
    if (!(error instanceof ConnectionFailed)) throw toApiError(error)
    throw refusalOf(error, trying, options)
  }
}

function refusalOf(error: ConnectionFailed, { protocol, account }: Trying, { settingOf }: TryOptions): ApiError {
  const { failure, message } = error
  const fault = faultOf[failure]
  const setting = settingOf(protocol, fault === 'password' && 'accessToken' in account.auth ? 'access_token' : fault)
  const field = setting && `settings.${setting}`
  const problem = field ? `${field}: ${message}` : message
  const details = { fields: { reason: `${failure}_failed`, ...(field ? { field } : {}) }, cause: error }
  if (failure === 'credentials') return new ApiError('authentication_failed', problem, details)
  if (failure === 'limit') return new ApiError('provider_rate_limited', problem, { ...details, retryAfter: 10 })
  if (failure === 'timeout' || failure === 'unavailable' || !field) {
    return new ApiError('provider_unavailable', problem, details)
  }
  return new ApiError('invalid_request', problem, { ...invalidField(field, message).details, ...details })
}
