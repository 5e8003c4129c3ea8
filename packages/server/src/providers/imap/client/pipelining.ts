/**
 * Commands that are written one behind the other without waiting for answers (RFC 3501 §5.5): over a network each answer
 * that is waited for costs a way there and back. imapflow writes one command at a time, and takes the answer to any other
 * for a sign that the two sides have lost each other; so what is written ahead stays in its queue, and is let go there as
 * if it were written in its turn.
 */
import type { ImapFlow } from 'imapflow'
import { internals, type QueuedCommand } from './internals.ts'
import type { Response } from './response-parser.ts'

/**
 * Of these none has a text that the server must be asked for leave to be sent, and no answer may be taken to depend on
 * another's: Dovecot does what is written behind a NOOP before the NOOP, and tells of a folder what it was.
 */
const independent = new Set(['LIST', 'UID FETCH', 'NOOP'])

/** Connections on which commands are written ahead at the moment. */
const open = new WeakSet<ImapFlow>()

/** Writes what commands `begin` gives at once, as far as they allow it; where imapflow does not let itself, in turn. */
export function pipelined<T>(client: ImapFlow, begin: () => T): T {
  const { writeSocket } = internals(client)
  open.add(client)
  // Into one packet.
  writeSocket?.cork?.()
  setImmediate(() => {
    writeSocket?.uncork?.()
    open.delete(client)
  })
  return begin()
}

/** Has a connection write commands ahead, where it is asked to (`pipelined`). */
export function allowPipelining(client: ImapFlow): void {
  const inside = internals(client)
  const send = inside.send?.bind(client)
  const trySend = inside.trySend?.bind(client)
  const handle = inside.handleResponse?.bind(client)
  if (!send || !trySend || !handle || !inside.requestQueue) return
  /** Written, and not yet the command that answers are for. */
  const ahead = new Set<string>()
  /** Answers that came before their turn. */
  const early = new Map<string, Response>()
  let writing: Promise<void> = Promise.resolve()

  // One at a time, since imapflow holds what is left of a command in one place.
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
      // One that cannot be written is never answered: the connection is gone, and says so itself.
      write({ tag, command, attributes }).catch(() => client.close())
    }
  }

  inside.handleResponse = async (response) => {
    const tag = ahead.size > 0 ? tagOf(response) : undefined
    // Servers may answer commands in another order than they were given.
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

/** The tag of an answer that ends a command. */
const tagOf = ({ payload }: Response): string | undefined =>
  payload[0] === asterisk ? undefined : /^[0-9A-F]{1,10}(?= )/.exec(payload.toString('latin1', 0, 12))?.[0]
