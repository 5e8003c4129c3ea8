/** Answers of the pages beside the contract. */
import { newId } from '../../lib/ids.ts'
import type { HttpResponse } from '../http/http.ts'
import { refusePath } from '../http/refuse.ts'
import { respond } from '../http/respond.ts'
import { type LivePage, type Page, visitOf } from '../pages/page.ts'
import type { Edge, Matched } from './edge.ts'

/** What a live page answers, if it does. */
export async function answerPage(
  { pipeline, addressOf }: Edge,
  page: LivePage,
  { request, params }: Matched,
): Promise<HttpResponse | undefined> {
  const started = performance.now()
  const visit = await visitOf(page, { request, params, address: addressOf(request) })
  const answer = await pipeline.underWay.within(Promise.try(page.answer, visit))
  if (answer) pipeline.metrics.answered(page.path, answer.status, performance.now() - started)
  return answer
}

export async function servePage(edge: Edge, page: Page | LivePage, matched: Matched): Promise<HttpResponse> {
  if ('answer' in page) return (await answerPage(edge, page, matched)) ?? refusePath(edge, matched)
  const body = await page.read()
  const headers = { 'content-type': page.contentType, 'x-request-id': newId(), ...page.headers }
  return respond(matched.request, { status: 200, body }, headers)
}
