/**
 * An admitted request, from its fields to its answer: query, headers and body are checked, the handler runs under a
 * deadline, and its value becomes the answer.
 */
import type { LiveAnswer, WireAnswer } from '../http/answer.ts'
import { startRange } from '../http/byte-range.ts'
import { LiveList } from '../http/event-stream.ts'
import { type FileAnswer, startFile } from '../http/file-answer.ts'
import { knownOf, unknownFields } from '../http/ignored-fields.ts'
import { noPayload, type Payload } from '../http/payload.ts'
import { parseFields } from '../http/request.ts'
import { isStillAdmitted } from './admission.ts'
import type { ApiServices } from './api-services.ts'
import { cursorBinding, openPosition } from './cursor-binding.ts'
import type { FilePage } from './handler-types.ts'
import { admitParsed } from './key-admission.ts'
import type { AnyHandler, RequestContext } from './request-context.ts'
import { addOperations, addWrites } from './request-operations.ts'
import { ResponseBuilder } from './response-builder.ts'

/** `isStored`: the answer was stored in the transaction of the change, under the Idempotency-Key. */
export type Handled = (WireAnswer & { isStored?: boolean }) | FileAnswer | LiveAnswer

export async function handleRequest(api: ApiServices, context: RequestContext, payload: Payload): Promise<Handled> {
  parseRequest(context, payload)
  const credential = context.application?.credential
  if (!credential) return runHandler(api, context)
  context.json = payload.json
  // A request that waits for approval has its answer already.
  return (await admitParsed(api, context, credential)) ?? runHandler(api, context)
}

async function runHandler(api: ApiServices, context: RequestContext): Promise<Handled> {
  const { named, handler } = context.served
  context.position = openPosition(api.storage.cursors, context)
  const response = new ResponseBuilder(api, context)
  const writes = addWrites(api.storage, context, response)
  if (context.grant && !named.route.own) addOperations(api, context, context.grant)
  context.hasRun = true
  if (context.wantsEvents) context.stillAdmitted = () => isStillAdmitted(api, context)
  if (named.route.bytes) {
    const { headers, ...answer } = await withinDeadline(api, context, startingFile(api, handler))
    return { ...answer, headers: { ...response.headers(), ...headers } }
  }
  const value = await withinDeadline(api, context, handler)
  if (value instanceof LiveList) return response.answerLive(value)
  context.audit?.made(value)
  const stored = writes.stored()
  if (stored) return { ...stored, isStored: true }
  return context.internal && !context.attempt ? response.answerObject(value) : response.answer(value)
}

/** Checks the fields of a request, and finds those that its route does not accept. */
function parseRequest(context: RequestContext, payload: Payload): void {
  const { served, rawQuery } = context
  const { route } = served.named
  served.known ??= { query: knownOf(route.query), body: knownOf(route.body) }
  const { known } = served
  if (route.query) context.query = parseFields(route.query, rawQuery, 'query')
  if (route.headers) context.headers = parseFields(route.headers, context.rawHeaders, 'headers')
  const ignored = unknownFields(known.query, rawQuery)
  if (payload === noPayload) {
    context.ignored = ignored
    return
  }
  context.ignored = [...ignored, ...unknownFields(known.body, payload.json)]
  context.files = payload.files
  context.mime = payload.mime
  if (route.body && !payload.mime) context.body = parseFields<unknown>(route.body, payload.json, 'body')
}

/** The handler of a file, as one that answers when the first bytes have arrived. */
const startingFile =
  ({ storage: { cursors } }: ApiServices, handler: AnyHandler) =>
  async (context: RequestContext): Promise<FileAnswer> => {
    const signal = AbortSignal.any([context.signal, context.request.signal])
    // `HandlersOf` has checked what the handlers of such routes return.
    const read = async (): Promise<FilePage> => (await handler(context)) as FilePage
    const isPartial = context.served.named.route.ranges && !context.internal
    if (isPartial) return startRange(read, context.request, signal)
    const file = await read()
    if (file.next !== undefined) {
      context.responseHeaders['next-cursor'] = cursors.seal(file.next, cursorBinding(context))
    }
    return startFile(file, signal)
  }

/** Waits for the handler until the deadline, or until the node stops. The signal of the request aborts then. */
function withinDeadline<T>(
  { telemetry: { underWay } }: ApiServices,
  context: RequestContext,
  handler: (context: RequestContext) => T | Promise<T>,
): T | Promise<T> {
  const value = handler(context)
  return value instanceof Promise ? underWay.withinDeadline(value, () => context.expire()) : value
}
