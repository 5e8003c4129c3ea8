/** The methods of AMQP 0-9-1 that a publisher sends and understands, with the extensions of RabbitMQ. */
import { encodeFrame, FieldReader, type FieldValue, FieldWriter, frameOverhead, frameTypes } from './frames.ts'

/** What the broker says. Other methods are not for a publisher. */
export type BrokerMethod =
  | { readonly name: 'connection.start'; readonly mechanisms: readonly string[] }
  | { readonly name: 'connection.tune'; readonly frameMax: number; readonly heartbeat: number }
  | {
      readonly name: 'connection.close' | 'channel.close' | 'basic.return'
      readonly code: number
      readonly text: string
    }
  | { readonly name: 'connection.blocked'; readonly text: string }
  | { readonly name: 'channel.flow'; readonly active: boolean }
  | { readonly name: 'basic.ack' | 'basic.nack'; readonly tag: number; readonly multiple: boolean }
  | { readonly name: PlainName }

type PlainName =
  | 'connection.open-ok'
  | 'connection.close-ok'
  | 'connection.unblocked'
  | 'channel.open-ok'
  | 'channel.close-ok'
  | 'exchange.declare-ok'
  | 'queue.declare-ok'
  | 'confirm.select-ok'
  | 'tx.select-ok'
  | 'tx.rollback-ok'

const id = (classId: number, methodId: number): number => classId * 65_536 + methodId

const plain: ReadonlyMap<number, PlainName> = new Map([
  [id(10, 41), 'connection.open-ok'],
  [id(10, 51), 'connection.close-ok'],
  [id(10, 61), 'connection.unblocked'],
  [id(20, 11), 'channel.open-ok'],
  [id(20, 41), 'channel.close-ok'],
  [id(40, 11), 'exchange.declare-ok'],
  [id(50, 11), 'queue.declare-ok'],
  [id(85, 11), 'confirm.select-ok'],
  [id(90, 11), 'tx.select-ok'],
  [id(90, 31), 'tx.rollback-ok'],
])

/** Throws if it is none of the methods above. */
export function decodeMethod(payload: Buffer): BrokerMethod {
  const reader = new FieldReader(payload)
  const number = reader.long()
  const name = plain.get(number)
  if (name !== undefined) return { name }
  switch (number) {
    case id(10, 10): {
      reader.short()
      reader.skipTable()
      return { name: 'connection.start', mechanisms: reader.longString().split(' ') }
    }
    case id(10, 30): {
      reader.short()
      return { name: 'connection.tune', frameMax: reader.long(), heartbeat: reader.short() }
    }
    case id(10, 50):
      return { name: 'connection.close', code: reader.short(), text: reader.shortString() }
    case id(10, 60):
      return { name: 'connection.blocked', text: reader.shortString() }
    case id(20, 20):
      return { name: 'channel.flow', active: reader.octet() === 1 }
    case id(20, 40):
      return { name: 'channel.close', code: reader.short(), text: reader.shortString() }
    case id(60, 50):
      return { name: 'basic.return', code: reader.short(), text: reader.shortString() }
    case id(60, 80):
      return { name: 'basic.ack', tag: reader.longlong(), multiple: (reader.octet() & 1) === 1 }
    case id(60, 120):
      return { name: 'basic.nack', tag: reader.longlong(), multiple: (reader.octet() & 1) === 1 }
    default:
      throw new Error(`method ${number >> 16}.${number & 0xffff} is not for a publisher`)
  }
}

/** Begins a method. */
const method = (classId: number, methodId: number): FieldWriter => new FieldWriter().short(classId).short(methodId)
const onConnection = (writer: FieldWriter): Buffer => encodeFrame(frameTypes.method, 0, writer.bytes())
const onChannel = (writer: FieldWriter): Buffer => encodeFrame(frameTypes.method, 1, writer.bytes())

/** "AMQP", then the version. */
export const protocolHeader = Buffer.from('AMQP\0\0\x09\x01', 'latin1')

export const startOk = (properties: Readonly<Record<string, FieldValue>>, user: string, password: string): Buffer =>
  onConnection(
    method(10, 11).table(properties).shortString('PLAIN').longString(`\0${user}\0${password}`).shortString('en_US'),
  )

export const tuneOk = ({ frameMax, heartbeat }: { frameMax: number; heartbeat: number }): Buffer =>
  // One channel is enough.
  onConnection(method(10, 31).short(1).long(frameMax).short(heartbeat))

export const openConnection = (vhost: string): Buffer =>
  onConnection(method(10, 40).shortString(vhost).shortString('').octet(0))

export const closeConnection = (): Buffer =>
  onConnection(method(10, 50).short(200).shortString('Goodbye').short(0).short(0))
export const closeConnectionOk = (): Buffer => onConnection(method(10, 51))

export const openChannel = (): Buffer => onChannel(method(20, 10).shortString(''))
export const flowOk = (active: boolean): Buffer => onChannel(method(20, 21).octet(active ? 1 : 0))

const passive = 1
/** Asks whether an exchange exists. The type is ignored. */
export const declarePassively = (exchange: string): Buffer =>
  onChannel(method(40, 10).short(0).shortString(exchange).shortString('direct').octet(passive).table({}))
/** Asks whether a queue exists. */
export const declareQueuePassively = (queue: string): Buffer =>
  onChannel(method(50, 10).short(0).shortString(queue).octet(passive).table({}))

export const selectConfirms = (): Buffer => onChannel(method(85, 10).octet(0))
export const selectTransactions = (): Buffer => onChannel(method(90, 10))
export const rollback = (): Buffer => onChannel(method(90, 30))

/** A message with its properties. */
export interface Publication {
  readonly exchange: string
  readonly routingKey: string
  readonly messageId: string
  readonly type: string
  /** In seconds. */
  readonly timestamp: number
  readonly contentEncoding: string | undefined
  readonly headers: Readonly<Record<string, FieldValue>>
  readonly body: Buffer
}

const mandatory = 1
const persistent = 2
/** Bits of the properties that a message has (§4.2.6.1), from the first property in the highest bit. */
const bits = {
  contentType: 0x8000,
  contentEncoding: 0x4000,
  headers: 0x2000,
  deliveryMode: 0x1000,
  priority: 0x0800,
  correlationId: 0x0400,
  replyTo: 0x0200,
  expiration: 0x0100,
  messageId: 0x0080,
  timestamp: 0x0040,
  type: 0x0020,
} as const
const always = bits.contentType | bits.headers | bits.deliveryMode | bits.messageId | bits.timestamp | bits.type

/** The bytes of a message: method, properties, and the body in frames of at most `frameMax` bytes. */
export function encodePublication(message: Publication, frameMax: number): Buffer[] {
  const { exchange, routingKey, contentEncoding, body } = message
  const properties = new FieldWriter()
    .short(60)
    .short(0)
    .longlong(body.length)
    .short(always | (contentEncoding === undefined ? 0 : bits.contentEncoding))
    .shortString('application/json')
  if (contentEncoding !== undefined) properties.shortString(contentEncoding)
  properties
    .table(message.headers)
    .octet(persistent)
    .shortString(message.messageId)
    .longlong(message.timestamp)
    .shortString(message.type)
  const pieces = [
    onChannel(method(60, 40).short(0).shortString(exchange).shortString(routingKey).octet(mandatory)),
    encodeFrame(frameTypes.header, 1, properties.bytes()),
  ]
  const max = frameMax - frameOverhead
  for (let from = 0; from < body.length; from += max) {
    pieces.push(encodeFrame(frameTypes.body, 1, body.subarray(from, from + max)))
  }
  return pieces
}

/** The length of the body and the id in the properties of a returned message. */
export function decodeProperties(payload: Buffer): { length: number; messageId: string | undefined } {
  const reader = new FieldReader(payload, 4)
  const length = reader.longlong()
  const flags = reader.short()
  const has = (bit: number): boolean => (flags & bit) !== 0
  if (has(bits.contentType)) reader.shortString()
  if (has(bits.contentEncoding)) reader.shortString()
  if (has(bits.headers)) reader.skipTable()
  if (has(bits.deliveryMode)) reader.octet()
  if (has(bits.priority)) reader.octet()
  for (const bit of [bits.correlationId, bits.replyTo, bits.expiration]) if (has(bit)) reader.shortString()
  return { length, messageId: has(bits.messageId) ? reader.shortString() : undefined }
}
