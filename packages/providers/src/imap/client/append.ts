/**
 * Sends APPEND together with its message. A server with LITERAL+ (RFC 7888) accepts the bytes without a round trip for
 * permission. imapflow asks for permission above 4 KB, and compiles every command a second time for its log. A message
 * with uploaded files is written piece by piece, at the pace of the server, with either kind of literal.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { ImapFlow } from 'imapflow'
import { hasLargeFiles, joined, type LargeMessage, wireBytes, wireLength } from '../../mail/large-files.ts'
import { type Internals, internals, loadCompiler, type QueuedCommand } from './internals.ts'

/** The message that a literal stands for. */
const large = Symbol('large message')
/** Set for connections that write large messages piece by piece. */
const pours = Symbol('pours')

type Stub = Buffer & { [large]: LargeMessage }

/** Adds a message to a folder. False if the server did not store it. */
export async function appendMessage(
  client: ImapFlow,
  path: string,
  message: LargeMessage,
  { flags, date }: { flags: string[]; date?: Date },
): Promise<boolean> {
  const { source } = message
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  if (!hasLargeFiles(message)) return Boolean(await client.append(path, bytes, flags, date))
  const limit: unknown = client.capabilities.get('APPENDLIMIT')
  const size = wireLength(message)
  if (typeof limit === 'number' && limit < size) {
    throw new ApiError('provider_refused', `the message has ${size} bytes; the mail server stores at most ${limit}`)
  }
  const content = pours in client ? Object.assign(Buffer.from('x'), { [large]: message }) : await joined(message)
  return Boolean(await client.append(path, content, flags, date))
}

/** Must run before other changes to how a connection writes commands. */
export async function appendWithoutWaiting(client: ImapFlow): Promise<void> {
  const inside = internals(client)
  const send = inside.send?.bind(client)
  const write = inside.write?.bind(client)
  if (!send || !write) return
  const compile = await loadCompiler()
  /** The large message that is being written. */
  let pouring: Promise<void> = Promise.resolve()
  const isSent = ({ tag }: QueuedCommand): void => {
    const { currentRequest: current } = inside
    if (current && current.tag === tag) current.sent = true
  }
  const pour = (message: LargeMessage): void => {
    pouring = pourMessage({ client, inside, write }, message)
  }
  // imapflow also writes texts.
  inside.write = (bytes) => (typeof bytes === 'object' && large in bytes ? pour((bytes as Stub)[large]) : write(bytes))
  inside.send = async (request) => {
    // A server may refuse a message before it has arrived. The rest of it must not contain another command.
    await pouring
    const stub = request.command === 'APPEND' ? stubIn(request.attributes) : undefined
    const hasPlus = client.capabilities.has('LITERAL+')
    if (!stub && (request.command !== 'APPEND' || !hasPlus)) return send(request)
    const bytes = Buffer.concat(await compile(request))
    inside.commandParts = stub ? [stub] : []
    write(stub ? lineOf(bytes, { size: wireLength(stub[large]), hasPlus }) : bytes)
    isSent(request)
    // Without LITERAL+, imapflow writes the stub once the server permits it.
    if (!stub || !hasPlus) return
    pour(stub[large])
    await pouring
  }
  Object.assign(client, { [pours]: true })
}

function stubIn(attributes: unknown): Stub | undefined {
  const last: unknown = Array.isArray(attributes) ? attributes.at(-1) : undefined
  const { value } = (last ?? {}) as { value?: unknown }
  return Buffer.isBuffer(value) && large in value ? (value as Stub) : undefined
}

/** The command up to its literal, which has another size than the stub. */
function lineOf(bytes: Buffer, { size, hasPlus }: { size: number; hasPlus: boolean }): Buffer {
  const text = bytes.toString('latin1')
  const at = text.lastIndexOf('{1+}\r\n')
  if (at === -1) throw new Error('an APPEND command has no literal')
  return Buffer.from(`${text.slice(0, at)}{${size}${hasPlus ? '+' : ''}}\r\n`, 'latin1')
}

interface Writing {
  client: ImapFlow
  inside: Internals
  write(bytes: Buffer): void
}

/** Writes a message and the end of its command. If it cannot be completed, the connection is closed. */
async function pourMessage({ client, inside, write }: Writing, message: LargeMessage): Promise<void> {
  try {
    for await (const part of wireBytes(message)) {
      // imapflow ends a command after its last part, so one is left until the end.
      inside.commandParts = [Buffer.alloc(0)]
      write(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
      await drained(inside)
    }
    inside.commandParts = []
    write(Buffer.alloc(0))
  } catch {
    client.close()
  }
}

/** Waits while the server reads slowly. */
function drained({ writeSocket }: Internals): Promise<void> {
  if (!writeSocket?.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      writeSocket.off('drain', done).off('close', done)
      resolve()
    }
    writeSocket.on('drain', done).on('close', done)
  })
}
