/**
 * A server that authenticates connections with NTLM, as IIS does: it checks proofs and codes with only Node's
 * functions.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { md4 } from '../../src/ews/soap/ntlm/md4.ts'
import { readTargetInfo, writeTargetInfo } from '../../src/ews/soap/ntlm/target-info.ts'

export interface NtlmServerOptions {
  /** The user names with their passwords: `DOMAIN\user` or `user@domain`. */
  users: Readonly<Record<string, string>>
  /** Users for Basic; by default the same. */
  basicUsers?: Readonly<Record<string, string>>
  offers?: readonly string[]
  tls?: { key: string; cert: string }
  /** The required channel bindings. */
  channelBindings?: Buffer
  /** Whether it sends the time, so that a code over all messages is required. Default yes. */
  namesTime?: boolean
  answer(
    request: { body: string; user: string; headers: http.IncomingHttpHeaders },
    response: http.ServerResponse,
  ): void
}

export interface Seen {
  /** The number of the connection. */
  connection: number
  /** `none`, `Basic`, `type 1` or `type 3`; `signed in` if the connection is. */
  shown: string
  user?: string | undefined
  /** Of the body, in bytes. */
  length: number
}

export interface NtlmServer extends AsyncDisposable {
  url: string
  port: number
  seen: Seen[]
  /** Closes all connections. */
  hangUp(): void
}

const serverChallenge = Buffer.from('0123456789abcdef', 'hex')
const utf16 = (value: string): Buffer => Buffer.from(value, 'utf16le')
const hmac = (key: Buffer, ...parts: Buffer[]): Buffer => createHmac('md5', key).update(Buffer.concat(parts)).digest()

interface State {
  number: number
  user?: string
  type1?: Buffer
  type2?: Buffer
}

export async function startNtlmServer(options: NtlmServerOptions): Promise<NtlmServer> {
  const { users, basicUsers = users, offers = ['NTLM'], tls, namesTime = true } = options
  const states = new WeakMap<Socket, State>()
  const sockets = new Set<Socket>()
  const seen: Seen[] = []
  let connections = 0

  const pairs = new Map([
    [2, utf16('CORP')],
    [1, utf16('MAIL')],
  ])
  if (namesTime) pairs.set(7, Buffer.from('0011223344556601', 'hex'))

  function challenge(): Buffer {
    const info = writeTargetInfo(pairs)
    const head = Buffer.alloc(56)
    head.write('NTLMSSP\0', 'latin1')
    head.writeUInt32LE(2, 8)
    head.writeUInt32LE(0xa2898205, 20)
    serverChallenge.copy(head, 24)
    head.writeUInt16LE(info.length, 40)
    head.writeUInt32LE(56, 44)
    return Buffer.concat([head, info])
  }

  /** The user that a type 3 message proves. */
  function proven(message: Buffer, state: State): string | undefined {
    const fieldAt = (at: number): Buffer =>
      message.subarray(message.readUInt32LE(at + 4), message.readUInt32LE(at + 4) + message.readUInt16LE(at))
    const nt = fieldAt(20)
    const domain = fieldAt(28).toString('utf16le')
    const user = fieldAt(36).toString('utf16le')
    const name = domain === '' ? user : `${domain}\\${user}`
    const password = users[name]
    if (password === undefined || !state.type1 || !state.type2) return undefined
    const key = hmac(md4(utf16(password)), utf16(user.toUpperCase() + domain))
    const proof = hmac(key, serverChallenge, nt.subarray(16))
    if (!proof.equals(nt.subarray(0, 16))) return undefined
    const given = readTargetInfo(nt.subarray(44, -4))
    if (options.channelBindings && !given?.get(10)?.equals(options.channelBindings)) return undefined
    const blank = Buffer.from(message)
    blank.fill(0, 72, 88)
    const code = hmac(hmac(key, proof), state.type1, state.type2, blank)
    return !namesTime || code.equals(message.subarray(72, 88)) ? name : undefined
  }

  const refuse = (response: http.ServerResponse, headers: readonly string[]): void =>
    void response.writeHead(401, { 'www-authenticate': [...headers] }).end()

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request)
    const state = states.get(request.socket) ?? { number: 0 }
    const { authorization = '' } = request.headers
    const [scheme = '', token = ''] = authorization.split(' ')
    const note = (shown: string): void =>
      void seen.push({ connection: state.number, shown, user: state.user, length: Buffer.byteLength(body) })
    const offered = offers.map((each) => (each === 'Basic' ? 'Basic realm="mail"' : each))
    if (offers.includes('Basic') && scheme === 'Basic') {
      note('Basic')
      const [user = '', password] = Buffer.from(token, 'base64').toString().split(/:(.*)/s)
      if (basicUsers[user] === undefined || basicUsers[user] !== password) return refuse(response, offered)
      return options.answer({ body, user, headers: request.headers }, response)
    }
    if (scheme === 'NTLM' || scheme === 'Negotiate') {
      const message = Buffer.from(token, 'base64')
      if (message.readUInt32LE(8) === 1) {
        note('type 1')
        state.type1 = message
        state.type2 = challenge()
        return refuse(response, [`${scheme} ${state.type2.toString('base64')}`])
      }
      state.user = proven(message, state)
      note('type 3')
      if (state.user === undefined) return refuse(response, offered)
    } else if (state.user === undefined) {
      note('none')
      return refuse(response, offered)
    } else note('signed in')
    options.answer({ body, user: state.user, headers: request.headers }, response)
  }

  const listener: http.RequestListener = (request, response) => void handle(request, response)
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    states.set(socket, { number: ++connections })
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    seen,
    hangUp,
    async [Symbol.asyncDispose]() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}
