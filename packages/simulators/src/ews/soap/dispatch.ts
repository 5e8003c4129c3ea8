// Dispatches a request to its operation, and writes the envelope or fault.
import type { RawAnswer, RawRequest } from '../../shared/http.ts'
import { textAnswer } from '../../shared/http.ts'
import type { EnvelopeStream, EwsCall, World } from '../model.ts'
import type { Account } from '../owner.ts'
import { textOf, within, type XmlNode, XmlSyntaxError } from '../xml/read.ts'
import { type Envelope, readEnvelope, writeEnvelope, writeFault, writeStreamedEnvelope } from './envelope.ts'
import { EwsError, invalidRequest } from './errors.ts'
import { actingAccount } from './impersonation.ts'
import { isSchema, isSince, type Schema } from './versions.ts'

const HEADERS = { 'content-type': 'text/xml; charset=utf-8' }
const encoder = new TextEncoder()

/** The operation of a request, found without parsing the whole request. */
export function operationOf({ body, method }: RawRequest): string | undefined {
  if (method !== 'POST') return undefined
  const text = new TextDecoder().decode(body.subarray(0, 65_536))
  return /<(?:[\w.-]+:)?Body(?:\s[^>]*)?>(?:\s|<!--.*?-->)*<(?:[\w.-]+:)?(\w+)/s.exec(text)?.[1]
}

/** Executes the operation of an envelope for the authenticated user. */
export async function answerSoap(world: World, request: RawRequest, signedIn: Account): Promise<RawAnswer> {
  try {
    const call = openCall(world, request, readEnvelope(new TextDecoder().decode(request.body)), signedIn)
    if (call.account.isMoving) throw movingMailbox()
    const answer = await handlerOf(call)(call)
    if ('envelopes' in answer) return await streamed(answer, world, signedIn)
    return {
      status: 200,
      headers: HEADERS,
      body: encoder.encode(writeEnvelope(answer, world.server, world.oddities)),
      account: signedIn.email,
    }
  } catch (error) {
    if (error instanceof XmlSyntaxError) return { ...textAnswer(400, '<h1>Bad Request</h1>'), account: signedIn.email }
    if (error instanceof EwsError) return { ...faultAnswer(error), account: signedIn.email }
    throw error
  }
}

const movingMailbox = () => new EwsError('ErrorMailboxMoveInProgress', 'The mailbox is being moved. Try again later.')

export function faultAnswer(error: EwsError, status = 500): RawAnswer {
  return { status, headers: HEADERS, body: encoder.encode(writeFault(error)) }
}

async function streamed(stream: EnvelopeStream, world: World, { email }: Account): Promise<RawAnswer> {
  async function* pieces() {
    for await (const answer of stream.envelopes) yield encoder.encode(writeStreamedEnvelope(answer, world.server))
  }
  if (world.holdsStreams) {
    const body = Buffer.concat(await Array.fromAsync(pieces()))
    return { status: 200, headers: HEADERS, body, account: email }
  }
  return { status: 200, headers: HEADERS, body: new Uint8Array(), stream: pieces(), account: email }
}

function openCall(world: World, raw: RawRequest, { header, request }: Envelope, signedIn: Account): EwsCall {
  return {
    world,
    operation: request.name,
    request,
    header,
    account: actingAccount(world, header, signedIn),
    schema: schemaOf(world, header),
    zone: within(header, 'TimeZoneContext', 'TimeZoneDefinition')?.attributes.Id ?? 'UTC',
    milliseconds: textOf(header, 'DateTimePrecision') === 'Milliseconds',
    signal: raw.signal ?? new AbortController().signal,
  }
}

/** The schema that `RequestServerVersion` asks for; the oldest one if absent. */
function schemaOf({ server }: World, header: XmlNode | undefined): Schema {
  const requested = within(header, 'RequestServerVersion')?.attributes.Version
  if (requested === undefined) return 'Exchange2007'
  if (!isSchema(requested) || !isSince(server.schema, requested)) {
    throw new EwsError('ErrorInvalidServerVersion', 'The specified server version is invalid.')
  }
  return requested
}

function handlerOf({ world, operation, schema }: EwsCall) {
  const found = world.registry.operation(operation)
  if (found === undefined || !isSince(world.server.schema, found.since)) {
    throw invalidRequest(`Unknown operation '${operation}'.`)
  }
  if (isSince(schema, found.since)) return found.handle
  const message = `The operation requires a request server version of at least ${found.since}.`
  throw new EwsError('ErrorInvalidServerVersion', message)
}
