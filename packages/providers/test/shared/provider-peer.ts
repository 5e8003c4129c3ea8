/** A scripted provider on loopback, and what an adapter needs to reach it: real egress, a manual clock. */
import type { ServerResponse } from 'node:http'
import { createEgress } from '@waypost/platform/egress/egress'
import { type Heard, openListener } from '@waypost/testing/listener'
import type { SessionIo } from '../../src/io.ts'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

export interface ProviderPeer extends AsyncDisposable {
  url: string
  heard: Heard[]
  io: SessionIo
  /** Tokens that the provider refused, in the order in which replacements were requested. */
  refusedTokens: string[]
  /** Logged warnings. */
  warnings: string[]
  /** Milliseconds; set it to move the clock. */
  now: number
  /** Replies in order; the last one repeats. A function responds by itself. */
  reply(...replies: (Reply | ((response: ServerResponse, heard: Heard) => void))[]): void
  /** Requests since the last call. */
  requested(): Heard[]
  abort(reason: Error): void
}

const send = (response: ServerResponse, { status = 200, headers = {}, body }: Reply): void => {
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body ?? {})
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
}

export async function openProviderPeer(): Promise<ProviderPeer> {
  const listener = await openListener()
  const egress = createEgress({ mode: 'private' })
  const controller = new AbortController()
  const peer: ProviderPeer = {
    url: listener.url,
    heard: listener.heard,
    refusedTokens: [],
    warnings: [],
    now: Date.parse('2026-06-01T12:00:00Z'),
    reply(...replies) {
      let next = 0
      listener.answer = (response, heard) => {
        const reply = replies[Math.min(next++, replies.length - 1)] ?? {}
        if (typeof reply === 'function') reply(response, heard)
        else send(response, reply)
      }
    },
    requested: () => listener.heard.splice(0),
    abort: (reason) => controller.abort(reason),
    // Services that `providers/shared` does not use are left out.
    io: {
      request: egress.request,
      connection: egress.connection,
      providerUrl: listener.url,
      clock: { now: () => peer.now },
      signal: controller.signal,
      log: { info: () => undefined, warn: (_: object, text: string) => peer.warnings.push(text), debug: () => {} },
      async accessToken(refused?: string) {
        if (refused !== undefined) peer.refusedTokens.push(refused)
        return `token-${peer.refusedTokens.length}`
      },
    } as unknown as SessionIo,
    async [Symbol.asyncDispose]() {
      await egress[Symbol.asyncDispose]()
      await listener[Symbol.asyncDispose]()
    },
  }
  return peer
}
