/** Answers of pages that are not part of the contract. */
import { newId } from '@waypost/platform/ids'
import type { HttpResponse } from '../http/http.ts'
import { respond } from '../http/respond.ts'
import type { ApiServices } from './api-services.ts'
import { type LivePage, type Page, visitOf } from './page.ts'
import { refusePath } from './refuse.ts'
import type { ArrivedRequest } from './request-context.ts'

/** The answer of a live page; undefined if it leaves the request to others. */
export async function answerPage(
  api: ApiServices,
  page: LivePage,
  { request, params }: ArrivedRequest,
): Promise<HttpResponse | undefined> {
  const started = performance.now()
  if (page.isVisit) api.visits.count(request, {})
  const visit = await visitOf(page, { request, params, address: api.addressOf(request) })
  const answer = await api.telemetry.underWay.within(Promise.try(page.answer, visit))
  if (answer) api.telemetry.metrics.answered(page.path, answer.status, performance.now() - started)
  return answer
}

export async function servePage(
  api: ApiServices,
  page: Page | LivePage,
  arrived: ArrivedRequest,
): Promise<HttpResponse> {
  if ('answer' in page) return (await answerPage(api, page, arrived)) ?? refusePath(api, arrived)
  const body = await page.read()
  const headers = { 'content-type': page.contentType, 'x-request-id': newId(), ...page.headers }
  return respond(arrived.request, { status: 200, body }, headers)
}
