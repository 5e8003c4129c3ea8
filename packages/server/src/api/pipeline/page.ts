/** Routes outside the contract: static pages, and live pages whose response depends on the request. */
import { newId } from '@waypost/platform/ids'
import type { HttpRequest, HttpResponse } from '../http/http.ts'
import { readBody } from '../http/request.ts'
import type { ArrivedRequest } from './request-context.ts'

export interface Page {
  path: string
  contentType: string
  headers?: Record<string, string>
  read(): string | Promise<string>
}

/** A request for a live page. */
export interface PageVisit {
  method: string
  header(name: string): string | null
  /** Value of the path parameter `:name`. */
  name: string
  /** All path parameters. */
  params: Record<string, string>
  /** The raw query; a name can occur more than once. */
  query: URLSearchParams
  /** Empty unless the page accepts a body. */
  body: Uint8Array
  /** IP address of the client. */
  address: string
  /** Id of the request, returned and logged. */
  requestId: string
  signal: AbortSignal
}

export interface PageAnswer extends HttpResponse {
  body: Uint8Array<ArrayBuffer> | string | null
}

/** A page whose response depends on the request; undefined means 404. */
export interface LivePage {
  /** Default: GET. */
  method?: 'GET' | 'POST'
  path: string
  /** Runs before the route or removed endpoint of the same path, which responds if the page returns undefined. */
  leading?: true
  /** Maximum size of a request body in bytes; default: no body. */
  bodyBytes?: number
  /** Scripts of every origin may call it. Its answers have the headers for that (`openCors`). */
  isOpen?: true
  /** Its requests count against the limit of visitors of booking pages (`pipeline/visits.ts`). */
  isVisit?: true
  answer(visit: PageVisit): Promise<PageAnswer | undefined>
}

/** An address with a protocol of its own, which reads the request itself and may answer with a stream. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** Scripts of every origin may call it. Its answers have the headers for that (`openCors`). */
  isOpen?: true
  respond(arrived: ArrivedRequest): Promise<HttpResponse>
}

export type AnyPage = Page | LivePage | Endpoint

export const methodOf = (page: AnyPage): 'GET' | 'POST' | 'PUT' => ('method' in page && page.method) || 'GET'

interface Arrived {
  request: HttpRequest
  params: Record<string, string>
  address: string
}

/** Converts a request for its page. */
export async function visitOf(
  page: Pick<LivePage, 'bodyBytes'>,
  { request, params, address }: Arrived,
): Promise<PageVisit> {
  const { method, target } = request
  const mark = target.indexOf('?')
  return {
    method,
    header: (name) => request.header(name),
    name: params.name ?? '',
    params,
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
    body: page.bodyBytes === undefined ? new Uint8Array() : await readBody(request, page.bodyBytes),
    address,
    requestId: newId(),
    get signal() {
      return request.signal
    },
  }
}
