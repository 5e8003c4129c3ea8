/** Push requests of providers. They only name the account to poll. */

import { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import type { Io } from '@waypost/providers/io'
import type { PushHint, PushReceipt, PushRequest } from '@waypost/providers/provider'
import { findProvider, type Providers } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import { type Nudge, watchedOfAddress } from '@waypost/store/tables/grants/nudges'
import type { PushTokens } from '../grants/push-tokens.ts'
import type { Watcher } from './watcher.ts'

export interface PushTools {
  queries: Queries
  providers: Providers
  tokens: PushTokens
  watcher: Pick<Watcher, 'wakeWatch'>
  ioFor(kind: string): Io
}

/** The response to a provider that expects more than an acknowledgment. */
export type PushAnswer = Extract<PushReceipt, { answer: unknown }>['answer']

/** Handles a push; throws `not_found` if the provider does not exist or the push is forged. */
export async function receivePush(
  tools: PushTools,
  kind: string,
  request: PushRequest,
): Promise<PushAnswer | undefined> {
  const provider = findProvider(tools.providers, kind)
  if (!provider?.receive) throw new ApiError('not_found')
  const receipt = await provider.receive(request, tools.ioFor(kind))
  if ('answer' in receipt) return receipt.answer
  const nudges = new Map<string, Nudge>()
  for (const hint of receipt.hints) {
    for (const grant of await grantsOf(tools, kind, hint)) {
      const renewPush = nudges.get(grant.grantId)?.renewPush || !!hint.renewPush
      nudges.set(grant.grantId, { ...grant, renewPush })
    }
  }
  for (const nudge of nudges.values()) await tools.watcher.wakeWatch(nudge)
  return undefined
}

async function grantsOf(
  { queries, tokens }: PushTools,
  kind: string,
  hint: PushHint,
): Promise<Omit<Nudge, 'renewPush'>[]> {
  if ('email' in hint) return watchedOfAddress(queries, emailKey(hint.email), kind)
  const grant = tokens.read(hint.token)
  if (!grant) throw new ApiError('not_found')
  return [grant]
}
