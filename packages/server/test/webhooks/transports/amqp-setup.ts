/** A scripted AMQP broker: it accepts every login, and a test scripts its response to each message. */
import type { Socket } from 'node:net'
import { AmqpConnection } from '../../../src/webhooks/transports/amqp/connection.ts'
import { encodeFrame, FieldWriter, FrameReader, frameTypes } from '../../../src/webhooks/transports/amqp/frames.ts'
import { openLink } from '../../../src/webhooks/transports/amqp/handshake.ts'
import { type Publication, selectConfirms } from '../../../src/webhooks/transports/amqp/methods.ts'
import type { BrokerTools } from './broker-setup.ts'
import { type ScriptedBroker, scriptedBroker } from './broker-setup.ts'

const method = (channel: number, classId: number, methodId: number, write = (to: FieldWriter) => to): Buffer =>
  encodeFrame(frameTypes.method, channel, write(new FieldWriter().short(classId).short(methodId)).bytes())
const settled = (methodId: number, tag: number, flags: number): Buffer =>
  method(1, 60, methodId, (to) => to.longlong(tag).octet(flags))
const noRoute = method(1, 60, 50, (to) => to.short(312).shortString('NO_ROUTE').shortString('x').shortString('y'))
const body = (bytes: Buffer): Buffer => encodeFrame(frameTypes.body, 1, bytes)
const hasMessageId = 0x0080

/** The possible responses of the broker. */
export const shown = {
  method,
  noRoute,
  body,
  ack: (tag: number) => settled(80, tag, 0),
  /** All messages up to and including this one. */
  acks: (tag: number) => settled(80, tag, 1),
  nack: (tag: number) => settled(120, tag, 0),
  returned: (id: string, bytes: Buffer): Buffer => {
    const properties = new FieldWriter().short(60).short(0).longlong(bytes.length).short(hasMessageId).shortString(id)
    return Buffer.concat([noRoute, encodeFrame(frameTypes.header, 1, properties.bytes()), body(bytes)])
  },
  blocked: (reason: string) => method(0, 10, 60, (to) => to.shortString(reason)),
  unblocked: method(0, 10, 61),
  flow: method(1, 20, 20, (to) => to.octet(1)),
}

export interface ScriptedAmqp extends ScriptedBroker {
  /** The heartbeats that it received. */
  heartbeats: number
  say(...frames: readonly Buffer[]): void
}

type Say = (...frames: readonly Buffer[]) => boolean
type Script = (say: Say, end: () => void, socket: Socket) => void

/** `onPublished` runs after each message. */
export async function scriptedAmqp(
  onPublished: Script,
  { frameMax = 131_072, heartbeat = 0 } = {},
): Promise<ScriptedAmqp> {
  let last: Say = () => false
  const start = method(0, 10, 10, (to) => to.octet(0).octet(9).table({}).longString('PLAIN').longString('en_US'))
  const answers: ReadonlyMap<number, Buffer> = new Map([
    [11, method(0, 10, 30, (to) => to.short(1).long(frameMax).short(heartbeat))],
    [40, method(0, 10, 41, (to) => to.shortString(''))],
    [10, method(1, 20, 11, (to) => to.longString(''))],
  ])
  const selected = method(1, 85, 11)

  const broker = await scriptedBroker((socket) => {
    const reader = new FrameReader()
    let isGreeted = false
    const say: Say = (...frames) => socket.write(Buffer.concat(frames))
    last = say
    socket.on('data', (chunk: Buffer) => {
      if (!isGreeted) {
        isGreeted = true
        say(start)
        return
      }
      for (const { type, payload } of reader.read(chunk)) {
        if (type === frameTypes.heartbeat) amqp.heartbeats += 1
        else if (type === frameTypes.body) onPublished(say, () => socket.destroy(), socket)
        else if (type === frameTypes.method) {
          const [classId, methodId] = [payload.readUInt16BE(0), payload.readUInt16BE(2)]
          const answer = classId === 85 ? selected : classId < 60 ? answers.get(methodId) : undefined
          if (answer) say(answer)
        }
      }
    })
  })
  const amqp: ScriptedAmqp = Object.assign(broker, {
    heartbeats: 0,
    say: (...frames: readonly Buffer[]) => void last(...frames),
  })
  return amqp
}

/** An open connection to such a broker, without the transport. */
export async function connected(port: number, { egress, signal }: BrokerTools['tools']): Promise<AmqpConnection> {
  const server = { host: '127.0.0.1', port, tls: false, vhost: '/' }
  const dialogue = await openLink({ server, username: 'guest', password: 'guest', egress, signal })
  await dialogue.ask(selectConfirms(), 'confirm.select-ok')
  return new AmqpConnection(dialogue.link, dialogue.end())
}

export const publishing = (messageId: string): Publication => ({
  exchange: 'x',
  routingKey: 'y',
  messageId,
  type: 'message.created',
  timestamp: 1_800_000_000,
  contentEncoding: undefined,
  headers: {},
  body: Buffer.from('{}'),
})
