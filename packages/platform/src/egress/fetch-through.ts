/** A `fetch` for libraries that make their own requests: each goes through the egress guard, and follows no redirect. */
import type { EgressRequest, EgressResponse } from './exchange.ts'

export interface FetchOptions {
  method?: string
  headers?: Record<string, string> | Headers
  body?: unknown
}

/** Statuses whose responses have no body, and for which `Response` refuses one. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

export const fetchThrough =
  (
    request: (request: EgressRequest) => Promise<EgressResponse>,
    limits: Pick<EgressRequest, 'deadlineMs' | 'maxBytes' | 'signal'>,
  ) =>
  async (url: string, { method = 'GET', headers = {}, body }: FetchOptions): Promise<Response> => {
    const answer = await request({
      url,
      method: method as EgressRequest['method'],
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...limits,
      onOverflow: 'fail',
    })
    const received = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    )
    const content = withoutBody.has(answer.status) ? null : new Uint8Array(answer.body)
    return new Response(content, { status: answer.status, headers: received })
  }
