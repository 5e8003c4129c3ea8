// `$batch`: up to twenty requests in one, answered in any order. Requests to one mailbox run four at a time and count
// toward its limits. https://learn.microsoft.com/graph/json-batching

import type { Outcome } from '../shared/faults.ts'
import { isObject, type JsonObject, jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { type Api, answerInBatch, errorAnswer, mailboxOfRequest } from './api.ts'
import { badRequest, errorBody, GraphError, requestMark } from './errors.ts'
import { parseJson } from './http.ts'
import { CONCURRENT } from './throttle.ts'

const maxRequests = 20
const PATH = '/v1.0/$batch'

type Pass = (request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>) => Promise<Outcome>

interface BatchItem {
  readonly id: string
  readonly dependsOn: readonly string[]
  readonly request: RawRequest
}

export function isBatch({ method, url }: RawRequest): boolean {
  return method === 'POST' && decodeURIComponent(url.pathname) === PATH
}

/** Answers a batch; `pass` applies scheduled faults to each of its requests. */
export async function answerBatch(api: Api, request: RawRequest, pass: Pass): Promise<RawAnswer> {
  try {
    const items = readItems(request)
    const places = takePlaces(api, items)
    await api.pause()
    const done = new Map<string, JsonObject>()
    for (const item of items) {
      const run = (inner: RawRequest) => answerInBatch(api, inner, places.has(item.id))
      done.set(item.id, failedBefore(item, done) ? dependencyFailed(item.id) : await answerItem(item, pass, run))
    }
    places.giveBack()
    return jsonAnswer(200, { responses: shuffled([...done.values()]) })
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return errorAnswer(error, requestMark(request.headers, api.world.now()))
  }
}

async function answerItem(
  { id, request }: BatchItem,
  pass: Pass,
  run: (inner: RawRequest) => Promise<RawAnswer>,
): Promise<JsonObject> {
  const outcome = await pass(request, run)
  if (typeof outcome === 'string') return failure(id, new GraphError(504, 'UnknownError', ''))
  const { status, headers, body } = outcome
  return { id, status, headers: titled(headers), ...(body.length > 0 && { body: bodyOf(headers, body) }) }
}

function bodyOf(headers: Readonly<Record<string, string>>, body: Uint8Array): unknown {
  const bytes = Buffer.from(body)
  return (headers['content-type'] ?? '').includes('json') ? JSON.parse(bytes.toString()) : bytes.toString('base64')
}

/**
 * Reserves mailbox slots for the requests of a batch. If a mailbox is busy, the first of the concurrent requests get
 * none.
 */
function takePlaces(api: Api, items: readonly BatchItem[]): { has(id: string): boolean; giveBack(): void } {
  const refused = new Set<string>()
  const taken = new Map<string, number>()
  const groups = Map.groupBy(items, ({ request }) => mailboxOfRequest(api, request))
  for (const [mailbox, group] of groups) {
    if (mailbox === undefined) continue
    const wanted = Math.min(CONCURRENT, group.length)
    const got = api.throttle.take(mailbox, wanted)
    taken.set(mailbox, got)
    for (const { id } of group.slice(0, got === 0 ? group.length : wanted - got)) refused.add(id)
  }
  return {
    has: (id) => !refused.has(id),
    giveBack() {
      for (const [mailbox, places] of taken) api.throttle.give(mailbox, places)
    },
  }
}

function readItems(outer: RawRequest): BatchItem[] {
  const { requests } = parseJson(outer.body)
  if (!Array.isArray(requests) || requests.length === 0) {
    throw badRequest('Invalid batch payload format.')
  }
  if (requests.length > maxRequests) {
    throw badRequest(`Number of batch request steps exceeds the maximum value of ${maxRequests}.`)
  }
  const items = requests.map((each) => readItem(outer, each))
  const ids = new Set(items.map(({ id }) => id.toLowerCase()))
  if (ids.size < items.length) throw badRequest('The batch request contains duplicate ids.')
  for (const { dependsOn } of items) {
    if (dependsOn.some((id) => !ids.has(id.toLowerCase()))) {
      throw badRequest("Request step's dependsOn references a step that does not exist.")
    }
  }
  return items
}

function readItem(outer: RawRequest, each: unknown): BatchItem {
  if (!isObject(each)) throw badRequest('Invalid batch payload format.')
  const { id, method, url, headers, body, dependsOn } = each
  if (typeof id !== 'string' || typeof method !== 'string' || typeof url !== 'string') {
    throw badRequest('Invalid batch payload format.')
  }
  if (body !== undefined && !hasContentType(headers)) {
    throw badRequest(`Write request id : ${id} does not contain Content-Type header or body.`)
  }
  const all = new Headers(isObject(headers) ? (headers as Record<string, string>) : {})
  const authorization = outer.headers.get('authorization')
  if (authorization !== null && !all.has('authorization')) all.set('authorization', authorization)
  const target = new URL(`${outer.url.origin}/v1.0/${url.replace(/^\/(?:v1\.0\/)?/, '')}`)
  return {
    id,
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map(String) : [],
    request: { method: method.toUpperCase(), url: target, headers: all, body: bytesOf(body) },
  }
}

function hasContentType(headers: unknown): boolean {
  return isObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
}

/** JSON stays as it is; anything else is base64, and a MIME body is base64 for its route too. */
function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function failedBefore({ dependsOn }: BatchItem, done: ReadonlyMap<string, JsonObject>): boolean {
  return dependsOn.some((id) => Number(done.get(id)?.status ?? 424) >= 400)
}

function dependencyFailed(id: string): JsonObject {
  return failure(id, new GraphError(424, 'FailedDependency', 'Failed Dependency'))
}

function failure(id: string, error: GraphError): JsonObject {
  const body = errorBody(error, requestMark(new Headers(), Date.now()))
  return { id, status: error.status, headers: { 'Content-Type': 'application/json' }, body }
}

/** Header names inside a batch are capitalized. */
function titled(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.replace(/(^|-)\w/g, (at) => at.toUpperCase()), value]))
}

/** Reverses each group of concurrent requests, so that clients do not rely on the order of responses. */
function shuffled(responses: readonly JsonObject[]): JsonObject[] {
  const groups: JsonObject[] = []
  for (let at = 0; at < responses.length; at += CONCURRENT) {
    groups.push(...responses.slice(at, at + CONCURRENT).toReversed())
  }
  return groups
}
