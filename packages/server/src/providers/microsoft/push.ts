/**
 * What Graph posts (https://learn.microsoft.com/graph/change-notifications-delivery-webhooks): that something changed, and
 * that a subscription ends. Both carry the secret that the subscription was made with, by which the grant is known. Before it
 * makes one, it posts a token that it wants to read back.
 */
import type { PushHint, PushReceipt, PushRequest } from '../provider.ts'
import { notGenuine, postedObject } from '../shared/push-request.ts'
import { recordOf } from '../shared/refusal.ts'

/** The paths below the address of pushes. */
export const notificationPath = 'changes'
export const lifecyclePath = 'lifecycle'

const maxTokenLength = 2048

/** Lifecycle events after which a subscription must be renewed, or made anew. Of what was `missed`, a look suffices. */
const renewing = new Set(['reauthorizationRequired', 'subscriptionRemoved'])

function readNotifications({ body }: PushRequest): PushHint[] {
  const { value } = postedObject(body)
  if (!Array.isArray(value)) throw notGenuine()
  /** Whether each grant must have its subscriptions renewed, by token. */
  const tokens = new Map<string, boolean>()
  for (const { clientState, lifecycleEvent } of value.map(recordOf)) {
    if (typeof clientState !== 'string') throw notGenuine()
    tokens.set(clientState, (tokens.get(clientState) ?? false) || renewing.has(String(lifecycleEvent)))
  }
  return [...tokens].map(([token, renew]) => (renew ? { token, renewPush: true } : { token }))
}

/** Reads what Graph posted. */
export async function receive(request: PushRequest): Promise<PushReceipt> {
  if (request.path !== notificationPath && request.path !== lifecyclePath) throw notGenuine()
  const token = request.query.get('validationToken')
  if (token === null) return { hints: readNotifications(request) }
  if (token.length > maxTokenLength) throw notGenuine()
  return { answer: { status: 200, contentType: 'text/plain; charset=utf-8', body: token } }
}
