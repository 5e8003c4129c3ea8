/** The MCP endpoints as resources of OAuth (RFC 8707, RFC 9728). */
import { isUuid } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ApplicationRow,
  getApplication,
  onlyMcpApplication,
} from '@waypost/store/tables/applications/applications'
import { OAuthError } from './oauth-error.ts'

/** The URL of the endpoint of one application, or of the endpoint without an application. */
export const resourceUrl = (baseUrl: string, applicationId?: string): string =>
  applicationId === undefined ? `${baseUrl}/mcp` : `${baseUrl}/mcp/${applicationId}`

/** An endpoint that a client names. */
export interface NamedResource {
  /** The exact URL that its tokens are for. */
  url: string
  /** Absent for the endpoint without an application. */
  applicationId?: string
}

/** Reads a `resource` parameter. Older clients send none, which means the endpoint without an application. */
export function readResource(baseUrl: string, text: string | undefined): NamedResource {
  if (text === undefined) return { url: resourceUrl(baseUrl) }
  const href = URL.parse(text)?.href.replace(/\/$/, '')
  if (href === resourceUrl(baseUrl)) return { url: href }
  const applicationId = href?.startsWith(`${resourceUrl(baseUrl)}/`) ? href.slice(resourceUrl(baseUrl).length + 1) : ''
  if (isUuid(applicationId))
    return { url: resourceUrl(baseUrl, applicationId.toLowerCase()), applicationId: applicationId.toLowerCase() }
  throw new OAuthError(
    'invalid_target',
    `resource: must be ${resourceUrl(baseUrl)} or ${resourceUrl(baseUrl)}/<application id>`,
  )
}

/** The application of an endpoint, if the endpoint serves one. */
export async function applicationOf(
  queries: Queries,
  { applicationId }: NamedResource,
): Promise<ApplicationRow | undefined> {
  const id = applicationId ?? (await onlyMcpApplication(queries))
  const row = id === undefined ? undefined : await getApplication(queries, id)
  return row && row.mcp_enabled === 1 && row.blocked === 0 ? row : undefined
}
