/**
 * Relays the messages of a local assistant to the MCP endpoint of a service. Both protocol generations pass through
 * unchanged, because the service speaks both. The relay only adds what HTTP needs: the key, the headers that repeat
 * the body, and, for the older generation, the session and version that `initialize` agreed on.
 *
 * The two transports differ in one way. On standard input a client cancels with a message; over HTTP it closes the
 * request. So a cancellation ends the request that it names.
 */
import type { EgressStream } from '@waypost/platform/egress/egress'
import { claimedVersion, codes, eventsOf, type Message, messageOf, repeatedHeaders } from './messages.ts'
import { type Posts, reasonOf } from './posts.ts'

export interface RelayOptions {
  posts: Pick<Posts, 'post'>
  key: string
  /** Sends one message to the client. */
  write(message: unknown): void
  /** Tells the person about a problem. */
  report(text: string): void
}

const listen = 'subscriptions/listen'

export class Relay {
  readonly #options: RelayOptions
  readonly #running = new Map<string | number, AbortController>()
  /** Requests that end only when somebody ends them. */
  readonly #streams = new Set<AbortController>()
  readonly #calls = new Set<Promise<void>>()
  #session: string | undefined
  #version: string | undefined

  constructor(options: RelayOptions) {
    this.#options = options
  }

  /** One line of the client. */
  receive(line: string): void {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#options.write(failure(null, codes.parse, 'the line is not JSON'))
      return
    }
    const message = messageOf(value)
    if (!message) {
      this.#options.write(failure(null, codes.invalid, 'the line is not a JSON-RPC 2.0 message; batches are refused'))
      return
    }
    const call = this.#pass(message, line).finally(() => this.#calls.delete(call))
    this.#calls.add(call)
  }

  /** Waits for the responses to everything that was asked, except for streams, which it ends. */
  async finish(): Promise<void> {
    for (const stream of this.#streams) stream.abort()
    await Promise.all(this.#calls)
  }

  /** Ends everything that runs, without a response. */
  abort(): void {
    for (const request of this.#running.values()) request.abort()
  }

  async #pass(message: Message, line: string): Promise<void> {
    if (message.method === 'notifications/cancelled' && this.#cancel(message)) return
    const isRequest = message.method !== undefined && message.id !== undefined
    const aborting = new AbortController()
    if (isRequest && message.id !== undefined) this.#running.set(message.id, aborting)
    if (message.method === listen) this.#streams.add(aborting)
    try {
      const isAnswered = await this.#post(message, line, aborting.signal)
      if (isRequest && !isAnswered && !aborting.signal.aborted) this.#options.write(ended(message))
    } catch (error) {
      if (!aborting.signal.aborted) this.#fail(message, error)
    } finally {
      if (isRequest && message.id !== undefined) this.#running.delete(message.id)
      this.#streams.delete(aborting)
    }
  }

  /** Ends the named request. The older generation also has to tell the service, because a closed request goes on. */
  #cancel({ params }: Message): boolean {
    const id = params?.requestId
    if (typeof id !== 'string' && typeof id !== 'number') return false
    this.#running.get(id)?.abort()
    return this.#session === undefined
  }

  /** Returns whether the client got a response with the id of the request. */
  async #post(message: Message, body: string, signal: AbortSignal): Promise<boolean> {
    const posting = { headers: this.#headers(message), body, signal }
    return this.#options.posts.post(posting, (answer) => this.#read(message, answer))
  }

  async #read(requested: Message, { status, headers, body }: EgressStream): Promise<boolean> {
    const type = String(headers['content-type'] ?? '')
    const session = headers['mcp-session-id']
    if (requested.method === 'initialize' && typeof session === 'string') this.#session = session
    if (type.startsWith('text/event-stream')) {
      let isAnswered = false
      for await (const data of eventsOf(body)) {
        if (data.trim() !== '') isAnswered = this.#deliver(requested, JSON.parse(data)) || isAnswered
      }
      return isAnswered
    }
    const text = Buffer.concat(await Array.fromAsync(body)).toString('utf8')
    const answer = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined
    if (messageOf(answer)) {
      // Clients often hide the reason of a refusal, so it is also in their log.
      if (status === 401 || status === 403) this.#options.report(refusal(status, answer))
      return this.#deliver(requested, answer)
    }
    if (status >= 300) throw new Error(refusal(status, answer))
    return false
  }

  #headers(message: Message): Record<string, string> {
    const own = claimedVersion(message) === undefined && message.method !== 'initialize'
    return {
      authorization: `Bearer ${this.#options.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(own && this.#session !== undefined ? { 'mcp-session-id': this.#session } : {}),
      ...(own && this.#version !== undefined ? { 'mcp-protocol-version': this.#version } : {}),
      ...repeatedHeaders(message),
    }
  }

  #deliver(requested: Message, value: unknown): boolean {
    const message = messageOf(value)
    if (!message) throw new Error('the service sent something that is no JSON-RPC message')
    const isAnswer = message.method === undefined && (message.id === requested.id || message.id === undefined)
    const version = message.result?.protocolVersion
    if (requested.method === 'initialize' && isAnswer && typeof version === 'string') this.#version = version
    // A request that was refused before its id was read is answered without one. The client needs its own id.
    this.#options.write(isAnswer && requested.id !== undefined ? { ...Object(value), id: requested.id } : value)
    return isAnswer
  }

  #fail({ id, method }: Message, error: unknown): void {
    const reason = reasonOf(error)
    this.#options.report(reason)
    if (id !== undefined && method !== undefined) this.#options.write(failure(id, codes.failed, reason))
  }
}

const failure = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The service ended the connection. The end of a stream of changes is announced; any other request failed. */
const ended = ({ id, method }: Message) =>
  method === listen
    ? { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'the connection ended' } }
    : failure(id ?? null, codes.failed, 'the connection ended before the response')

function refusal(status: number, answer: unknown): string {
  const said = Object(Object(answer).error).message
  const reason = typeof said === 'string' ? said : `the service answered with status ${status}`
  return status === 401 ? `the key was refused: ${reason}` : reason
}
