/** Opens the adapters of providers for grants. */

import type { AddressMode } from '@waypost/platform/egress/addresses'
import type { Egress } from '@waypost/platform/egress/egress'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { AccountMail, SharedValues } from '@waypost/providers/io'
import type { Providers } from '@waypost/providers/registry'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Config } from '../config.ts'
import type { Notify } from '../grants/notify.ts'
import type { PushTokens } from '../grants/push-tokens.ts'
import { createSessions, type Sessions, type SessionsOptions } from '../grants/sessions.ts'
import { withoutPixel } from '../sending/tracking/tracking.ts'
import type { Storage } from './storage.ts'

interface SessionParts extends Pick<SessionsOptions, 'answers' | 'exchanges' | 'refreshed' | 'operated'> {
  providers: Providers
  egress: Egress
  shared: SharedValues
  addressMode(): AddressMode
  parse: ParsePool
  notify: Notify
  pushTokens: PushTokens
  accountMail(record: GrantRecord, signal: () => AbortSignal): AccountMail
  mailAddress: string | undefined
  readsReplies: boolean
}

export function openSessions(
  stack: AsyncDisposableStack,
  { database, clock, log, secrets, seals }: Storage,
  config: Config,
  { addressMode, pushTokens, ...parts }: SessionParts,
): Sessions {
  const { baseUrl, providerUrls, providerServers, pollSeconds, mailPerDay } = config
  return stack.use(
    createSessions({
      ...{ database, clock, log, secrets, seals, baseUrl, providerUrls, providerServers, pollSeconds, mailPerDay },
      ...parts,
      push: isReachable(baseUrl, addressMode())
        ? { address: (kind) => `${baseUrl}/v3/push/${kind}`, tokens: pushTokens }
        : undefined,
      shown: (html) => withoutPixel(html, baseUrl),
    }),
  )
}

/** Whether providers can post to this service: real providers need TLS, a simulator on this machine does not. */
export const isReachable = (baseUrl: string, mode: AddressMode): boolean =>
  baseUrl.startsWith('https://') || mode === 'private'
