/**
 * Reads what Graph posts (https://learn.microsoft.com/graph/change-notifications-delivery-webhooks): that something
 * changed, or that a subscription ends. Both carry the secret of the subscription, which identifies the grant. Before
 * Graph creates a subscription, it posts a token that it expects in the answer.
 */
import type { PushHint, PushReceipt, PushRequest } from '../provider.ts'
import { notGenuine, postedObject } from '../shared/push-request.ts'
import { recordOf } from '../shared/refusal.ts'

/** The paths below the address of pushes. */
export const notificationPath = 'changes'
export const lifecyclePath = 'lifecycle'

const maxTokenLength = 2048

/** Lifecycle events after which a subscription must be renewed or created again. After `missed` a poll is enough. */
const renewing = new Set(['reauthorizationRequired', 'subscriptionRemoved'])

function readNotifications({ body }: PushRequest): PushHint[] {
  const { value } = postedObject(body)
  if (!Array.isArray(value)) throw notGenuine()
  /** Whether the subscriptions of each grant must be renewed, by token. */
  const tokens = new Map<string, boolean>()
  for (const { clientState, lifecycleEvent } of value.map(recordOf)) {
    if (typeof clientState !== 'string') throw notGenuine()
    tokens.set(clientState, (tokens.get(clientState) ?? false) || renewing.has(String(lifecycleEvent)))
  }
  return [...tokens].map(([token, renew]) => (renew ? { token, renewPush: true } : { token }))
}

export async function receive(request: PushRequest): Promise<PushReceipt> {
  if (request.path !== notificationPath && request.path !== lifecyclePath) throw notGenuine()
  const token = request.query.get('validationToken')
  if (token === null) return { hints: readNotifications(request) }
  if (token.length > maxTokenLength) throw notGenuine()
  return { answer: { status: 200, contentType: 'text/plain; charset=utf-8', body: token } }
}
