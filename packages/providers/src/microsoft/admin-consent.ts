/** Consent of an administrator for an organization (https://learn.microsoft.com/entra/identity-platform/v2-admin-consent). */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { OAuth } from '../oauth.ts'
import { clientIdOf } from './client.ts'
import { graphRoot } from './scopes.ts'
import { isDirectory, loginUrl, tenantOf } from './token-endpoint.ts'

const directoryId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const adminConsent: NonNullable<OAuth['adminConsent']> = {
  check(client) {
    if (isDirectory(tenantOf(client))) return
    throw invalidField(
      'credential_data.tenant',
      'is required where the connector has none: the id of the directory, or one of its domains, whose administrator gives consent',
    )
  },
  url(client, { redirectUri, state }, io) {
    // Personal accounts have no administrator. Without a directory, that of the signed-in user is used.
    const tenant = isDirectory(tenantOf(client)) ? tenantOf(client) : 'organizations'
    // All permissions of the registration: application permissions cannot be requested one by one.
    const scope = `${graphRoot}.default`
    const query = new URLSearchParams({ client_id: clientIdOf(client), scope, redirect_uri: redirectUri, state })
    return `${loginUrl(tenant, '/v2.0/adminconsent', io)}?${query}`
  },
  tenantIn(client, query) {
    const tenant = query.get('tenant') ?? ''
    if (query.get('admin_consent')?.toLowerCase() !== 'true' || !directoryId.test(tenant)) {
      throw new ApiError('authentication_failed', 'Microsoft did not say that consent was given')
    }
    const expected = tenantOf(client)
    if (directoryId.test(expected) && expected.toLowerCase() !== tenant.toLowerCase()) {
      throw new ApiError(
        'authentication_failed',
        `consent was given in another organization than the credential's: ${tenant}`,
      )
    }
    return tenant
  },
}
