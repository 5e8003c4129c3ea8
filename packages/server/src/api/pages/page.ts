/** What is served beside the contract: pages that are the same for everybody, and live ones, whose answer depends on the visit. */
import { newId } from '../../lib/ids.ts'
import type { HttpRequest, HttpResponse } from '../http/http.ts'
import { readBody } from '../pipeline/request.ts'

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
  /** What stands in the path for its parameter `:name`. */
  name: string
  /** All parameters of the path. */
  params: Record<string, string>
  /** As it came: a name may stand there more than once. */
  query: URLSearchParams
  /** Nothing, unless the page takes a body. */
  body: Uint8Array
  /** The client's address. */
  address: string
  /** Names the visit in its answer and in the log. */
  requestId: string
  signal: AbortSignal
}

export interface PageAnswer extends HttpResponse {
  body: Uint8Array<ArrayBuffer> | string | null
}

/** A page that is not the same for everybody; undefined is answered like a path that does not exist. */
export interface LivePage {
  /** GET unless it says so. */
  method?: 'GET' | 'POST'
  path: string
  /** Asked before the route of the same path, which answers where the page does not. */
  leading?: true
  /** The most bytes of a body that it takes; none unless it says so. */
  bodyBytes?: number
  answer(visit: PageVisit): Promise<PageAnswer | undefined>
}

export const methodOf = (page: Page | LivePage): 'GET' | 'POST' => ('answer' in page && page.method) || 'GET'

interface Arrived {
  request: HttpRequest
  params: Record<string, string>
  address: string
}

/** A request as its page is given it. */
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
