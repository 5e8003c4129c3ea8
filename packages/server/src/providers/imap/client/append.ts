/**
 * Sends APPEND together with its message. A server with LITERAL+ (RFC 7888) accepts the bytes without a round trip for
 * permission. imapflow asks for permission above 4 KB, and compiles every command a second time for its log.
 */
import type { ImapFlow } from 'imapflow'
import { internals, loadCompiler } from './internals.ts'

/** Must run before other changes to how a connection writes commands. */
export async function appendWithoutWaiting(client: ImapFlow): Promise<void> {
  const inside = internals(client)
  const send = inside.send?.bind(client)
  const write = inside.write?.bind(client)
  if (!send || !write) return
  const compile = await loadCompiler()
  inside.send = async (request) => {
    if (request.command !== 'APPEND' || !client.capabilities.has('LITERAL+')) return send(request)
    const parts = await compile(request)
    inside.commandParts = []
    write(Buffer.concat(parts))
    const { currentRequest: current } = inside
    if (current && current.tag === request.tag) current.sent = true
  }
}
