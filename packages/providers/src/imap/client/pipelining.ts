/**
 * Writes several commands without waiting for responses (RFC 3501 §5.5), which saves round trips. imapflow writes one
 * command at a time and treats a response to any other as a protocol error. So commands that are written ahead stay
 * in its queue. When their turn comes, they are marked as sent instead of being written again.
 */
import type { ImapFlow } from 'imapflow'
import { internals, type QueuedCommand } from './internals.ts'
import type { Response } from './response-parser.ts'

/**
 * These commands contain no literals, and no response may depend on another one. Dovecot executes commands after a
 * NOOP before the NOOP, and then reports an old state of the folder.
 */
const independent = new Set(['LIST', 'UID FETCH', 'NOOP'])

/** Connections that write commands ahead at the moment. */
const open = new WeakSet<ImapFlow>()

/**
 * Writes the commands that `begin` starts at once, as far as they are independent. Without access to imapflow's queue
 * they run in sequence.
 */
export function pipelined<T>(client: ImapFlow, begin: () => T): T {
  const { writeSocket } = internals(client)
  open.add(client)
  // Collects them into one packet.
  writeSocket?.cork?.()
  setImmediate(() => {
    writeSocket?.uncork?.()
    open.delete(client)
  })
  return begin()
}

/** Enables `pipelined` for a connection. */
export function allowPipelining(client: ImapFlow): void {
  const inside = internals(client)
  const send = inside.send?.bind(client)
  const trySend = inside.trySend?.bind(client)
  const handle = inside.handleResponse?.bind(client)
  if (!send || !trySend || !handle || !inside.requestQueue) return
  /** Tags that are written but not yet imapflow's current command. */
  const ahead = new Set<string>()
  /** Responses that arrived before their turn. */
  const early = new Map<string, Response>()
  let writing: Promise<void> = Promise.resolve()

  // In sequence, because imapflow stores the rest of a command in a single field.
  const write = (request: QueuedCommand): Promise<void> => {
    const written = writing.then(() => send(request))
    writing = written.catch(() => undefined)
    return written
  }

  inside.send = async (request) => {
    const { currentRequest: current } = inside
    if (!ahead.delete(request.tag)) return write(request)
    if (current && current.tag === request.tag) current.sent = true
  }

  inside.trySend = async () => {
    const sent = trySend()
    if (open.has(client)) writeQueued()
    await sent
  }

  const writeQueued = (): void => {
    if (!inside.currentRequest || !independent.has(inside.currentRequest.command)) return
    for (const { tag, command, attributes } of inside.requestQueue ?? []) {
      if (!independent.has(command)) return
      if (ahead.has(tag)) continue
      ahead.add(tag)
      // A command that cannot be written gets no response. Closing reports the failure.
      write({ tag, command, attributes }).catch(() => client.close())
    }
  }

  inside.handleResponse = async (response) => {
    const tag = ahead.size > 0 ? tagOf(response) : undefined
    // Servers may respond in a different order.
    if (tag !== undefined && ahead.has(tag)) {
      early.set(tag, response)
      return true
    }
    const goesOn = await handle(response)
    if (early.size > 0) await handleEarly()
    return goesOn
  }

  const handleEarly = async (): Promise<void> => {
    for (let next = takeEarly(); next; next = takeEarly()) await handle(next)
  }

  const takeEarly = (): Response | undefined => {
    const { tag = '' } = inside.currentRequest || {}
    const response = ahead.has(tag) ? undefined : early.get(tag)
    early.delete(tag)
    return response
  }
}

const asterisk = 0x2a

/** The tag of a response that ends a command. */
const tagOf = ({ payload }: Response): string | undefined =>
  payload[0] === asterisk ? undefined : /^[0-9A-F]{1,10}(?= )/.exec(payload.toString('latin1', 0, 12))?.[0]
