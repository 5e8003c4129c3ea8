/** The response to a send, with the message as the account has it. */
import type { Message, SentMessage } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import type { Sessions } from '../../grants/sessions.ts'
import type { Outcome } from '../ledger/ledger.ts'
import type { Order } from '../sending.ts'
import { asFiled } from './answer.ts'

export interface ReadBackTools {
  database: Database
  sessions: Sessions
  log: Log
}

/** The response for a sent message; throws for any other outcome. */
export async function answerSent(
  tools: ReadBackTools,
  order: Order,
  answer: SentMessage,
  outcome: Outcome,
): Promise<SentMessage> {
  const { messageId, reported } = needSent(outcome)
  return asFiled(answer, messageId, reported ?? (await readBack(tools, order, messageId)))
}

/** Reads the message from the account. A failure does not fail the send. */
export async function readBack(
  { database, sessions, log }: ReadBackTools,
  order: Order,
  id: string | undefined,
): Promise<Message | undefined> {
  if (id === undefined) return undefined
  try {
    const use = { queries: database, signal: () => order.signal, responseHeaders: {}, calls: order.calls }
    const get = sessions.operation(order.grant, { resource: 'messages', operation: 'get' }, use)
    return await get({ message_id: id } as never)
  } catch (error) {
    log.debug({ error, grant_id: order.grant.grant.id }, 'a sent message could not be read back')
    return undefined
  }
}

function needSent(outcome: Outcome): Outcome & { state: 'sent' } {
  if (outcome.state === 'sent') return outcome
  throw outcome.state === 'failed' ? outcome.error : new ApiError('outcome_unknown')
}
