/** A simulated Zoom, and grants of its accounts. */
import type { ZoomSimulator } from '../../../simulators/src/index.ts'
import type { TestService } from '../harness.ts'

/** The settings of a service that connects to this Zoom. */
export const zoomEnv = ({ url }: Pick<ZoomSimulator, 'url'>): Record<string, string> => ({
  WAYPOST_ZOOM_URL: url,
  WAYPOST_EGRESS: 'private',
})

export const zoomConnector = ({ client }: Pick<ZoomSimulator, 'client'>) => ({
  provider: 'zoom',
  settings: { client_id: client.id, client_secret: client.secret },
})

/** Creates the connector of an application, if it has none, and a grant by the refresh token of an account. */
export async function createZoomGrant(
  service: TestService,
  zoom: ZoomSimulator,
  { email, key }: { email: string; key: string },
): Promise<{ id: string; [field: string]: unknown }> {
  await service.call('POST', '/v3/connectors', { key, body: zoomConnector(zoom) })
  const { refreshToken } = zoom.grantToken(email)
  const body = { provider: 'zoom', settings: { refresh_token: refreshToken } }
  const made = await service.call('POST', '/v3/connect/custom', { key, body })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
