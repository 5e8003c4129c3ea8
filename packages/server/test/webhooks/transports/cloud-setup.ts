/** Settings of the transports to clouds, and messages for them. */
import { createEgress } from '@waypost/platform/egress/egress'
import { createLog } from '@waypost/platform/log'
import type { OutgoingMessage, TransportEndpoints, TransportTools } from '../../../src/webhooks/transports/transport.ts'

export interface CloudTools extends TransportTools, AsyncDisposable {
  readonly signal: AbortSignal
  readonly applicationId: string
}

export function cloudTools(endpoints: TransportEndpoints, clock = { now: () => Date.now() }): CloudTools {
  const egress = createEgress({ mode: 'private' })
  return {
    egress,
    clock,
    endpoints,
    log: createLog('silent'),
    applicationId: 'app-1',
    signatureHeader: 'x-waypost-signature',
    signal: AbortSignal.timeout(60_000),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

/** A notification with the given body. */
export function messageOf(id: string, fields: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const data = { application_id: 'app-1', object: { id: `object of ${id}`, grant_id: 'grant-1', object: 'message' } }
  const body = Buffer.from(JSON.stringify({ specversion: '1.0', type: 'message.created', id, data }))
  return { id, type: 'message.created', grantId: 'grant-1', attempt: 1, body, compressed: false, at: 0, ...fields }
}
