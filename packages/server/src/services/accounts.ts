/** The accounts of end users: their adapters, and what watches them. */

import { type Io, ioFor } from '@waypost/providers/io'
import type { SandboxClient } from '@waypost/providers/provider-settings'
import { providers as allProviders, type Providers } from '@waypost/providers/registry'
import { createWatcher, type Watcher } from '../changes/watcher.ts'
import { type Conferences, createConferences } from '../conferences/conferences.ts'
import { type ActivityBook, createActivityBook } from '../grants/activity.ts'
import { createIdTokens, type IdTokens } from '../grants/id-tokens.ts'
import type { Notify } from '../grants/notify.ts'
import { createPushTokens, type PushTokens } from '../grants/push-tokens.ts'
import { createSessions, type Sessions, type SessionsOptions } from '../grants/sessions.ts'
import { withoutPixel } from '../sending/tracking/tracking.ts'
import { createProviderCalls } from '../telemetry/provider-calls.ts'
import type { Given } from './build-options.ts'
import { isReachable, type Network } from './network.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'
import type { Threads } from './threads.ts'

export interface Accounts {
  providers: Providers
  /** What an adapter needs for work without an open session. */
  ioFor(kind: string, signal: AbortSignal): Io
  sessions: Sessions
  /** Conferences of events that another grant creates. */
  conferences: Conferences
  /** The tokens that providers send back with push notifications about a grant. */
  pushTokens: PushTokens
  /** Signs ID tokens for applications. */
  idTokens: IdTokens
  /** Records the use of grants, and their errors. */
  activity: ActivityBook
  /** Watches accounts at providers for changes. */
  watcher: Watcher
  /** The sandbox clients at providers that the settings name. */
  sandboxClients: Readonly<Record<string, SandboxClient>>
}

interface AccountParts extends Required<Pick<SessionsOptions, 'accountMail' | 'readsReplies'>> {
  storage: Storage
  network: Network
  telemetry: Telemetry
  threads: Threads
  notify: Notify
  nodeId: string
  mailAddress: string | undefined
}

export function openAccounts(stack: AsyncDisposableStack, given: Given, parts: AccountParts): Accounts {
  const { config, configSecrets, overrides } = given
  const { storage, network, telemetry, threads, notify, nodeId } = parts
  const { database, clock, log, secrets, seals, keyRing } = storage
  const { egress } = network
  const providers = overrides.providers ?? allProviders
  const pushTokens = createPushTokens(keyRing)
  const shared = new Map<string, object>()
  const calls = createProviderCalls(telemetry.metrics)
  const { baseUrl, providerUrls, providerServers, pollSeconds, mailPerDay } = config
  const sessions = stack.use(
    createSessions({
      database,
      clock,
      log,
      secrets,
      seals,
      baseUrl,
      providerUrls,
      providerServers,
      pollSeconds,
      mailPerDay,
      providers,
      egress,
      shared,
      notify,
      ...calls,
      parse: threads.parse,
      answers: threads.answers,
      mailAddress: parts.mailAddress,
      readsReplies: parts.readsReplies,
      accountMail: parts.accountMail,
      push: isReachable(baseUrl, network.addressMode())
        ? { address: (kind) => `${baseUrl}/v3/push/${kind}`, tokens: pushTokens }
        : undefined,
      shown: (html) => withoutPixel(html, baseUrl),
    }),
  )
  const { providerFailed, polled, tracer } = telemetry
  const activity = stack.use(createActivityBook({ queries: database, seals, clock, log, providerFailed }))
  const { maxRest } = storage.signals
  return {
    providers,
    ioFor: (kind, signal) => ioFor({ ...config, egress, clock, log, shared, ...threads, ...calls }, kind, signal),
    sessions,
    conferences: createConferences({ database, sessions, providers, log }),
    pushTokens,
    idTokens: createIdTokens(keyRing, { issuer: baseUrl, clock }),
    activity,
    watcher: createWatcher({
      database,
      clock,
      log,
      sessions,
      providers,
      notify,
      seals,
      nodeId,
      activity,
      polled,
      maxRest,
      tracer,
      parse: threads.parse,
    }),
    sandboxClients: configSecrets.sandboxClients,
  }
}
