/**
 * Messages that are filed in one exchange: a server with LITERAL+ (RFC 7888) takes the bytes without being asked for leave.
 * imapflow asks for what is longer than 4 KB, and writes every command a second time for its log.
 */
import type { ImapFlow } from 'imapflow'

interface Request {
  tag: string
  command: string
}

/** What is used of imapflow's insides. */
interface Inside {
  send?(request: Request): Promise<void>
  write?(bytes: Buffer): void
  commandParts?: Buffer[]
  currentRequest?: { tag: string; sent?: boolean } | false
}

/** Has a connection write APPEND with its message. Before others have a say in how commands are written. */
export async function appendAtOnce(client: ImapFlow): Promise<void> {
  const inside = client as unknown as Inside
  const send = inside.send?.bind(client)
  const write = inside.write?.bind(client)
  if (!send || !write) return
  const { default: compile } = await import('imapflow/lib/handler/imap-compiler')
  inside.send = async (request) => {
    if (request.command !== 'APPEND' || !client.capabilities.has('LITERAL+')) return send(request)
    const parts: Buffer[] = await compile(request, { asArray: true, literalPlus: true })
    inside.commandParts = []
    write(Buffer.concat(parts))
    const { currentRequest: current } = inside
    if (current && current.tag === request.tag) current.sent = true
  }
}
