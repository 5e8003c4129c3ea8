/**
 * Receives change notifications from providers: `/v3/push/<kind>/<path>`. The response is immediate; invalid requests
 * get 404.
 */
import { type PushTools, receivePush } from '../../changes/push.ts'
import type { LivePage } from '../pipeline/page.ts'

/** Notifications are small, but some providers send many changes at once. */
const bodyBytes = 1_048_576

export const pushPage = (tools: Omit<PushTools, 'ioFor'> & PushSource): LivePage => ({
  method: 'POST',
  path: '/v3/push/:kind/:path',
  bodyBytes,
  async answer({ params, query, header, body, signal }) {
    const { kind = '', path = '' } = params
    const address = `${tools.baseUrl}/v3/push/${kind}/${path}`
    const ioFor: PushTools['ioFor'] = (each) => tools.ioFor(each, signal)
    const answer = await receivePush({ ...tools, ioFor }, kind, { path, query, header, body, address })
    const headers: Record<string, string> = answer ? { 'content-type': answer.contentType } : {}
    return { status: answer?.status ?? 204, headers, body: answer?.body ?? null }
  },
})

interface PushSource {
  baseUrl: string
  ioFor(kind: string, signal: AbortSignal): ReturnType<PushTools['ioFor']>
}
