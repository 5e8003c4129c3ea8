/** What providers post when something changed at them: it only says whose changes to look at. */

import type { PushTokens } from '../grants/push-tokens.ts'
import { ApiError } from '../lib/api-error.ts'
import { emailKey } from '../lib/email-key.ts'
import type { Io } from '../providers/io.ts'
import type { PushHint, PushReceipt, PushRequest } from '../providers/provider.ts'
import { findProvider, type Providers } from '../providers/registry.ts'
import type { Queries } from '../store/engine/database.ts'
import { type Nudge, watchedOfAddress } from '../store/tables/grants/nudges.ts'
import type { Watcher } from './watcher.ts'

export interface PushTools {
  queries: Queries
  providers: Providers
  tokens: PushTokens
  watcher: Pick<Watcher, 'wakeWatch'>
  ioFor(kind: string): Io
}

/** What a provider is answered with where it waits for more than that its push has come. */
export type PushAnswer = Extract<PushReceipt, { answer: unknown }>['answer']

/** Takes what a provider posted; throws `not_found` where there is no such provider, or it is not genuine. */
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
