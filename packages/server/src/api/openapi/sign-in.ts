/** The start of a hosted sign-in: a page for browsers, so the SDK has no function for it. */
import { ConnectAuthQuery } from '@waypost/contract'
import { applicationId } from '@waypost/contract/examples'
import { type Json, refer } from './json.ts'
import { fieldParametersOf } from './request.ts'

const sample = { client_id: applicationId, redirect_uri: 'https://app.example.com/callback', response_type: 'code' }

export const signInPath = (): Json => ({
  get: {
    operationId: 'connect.auth',
    tags: ['connect'],
    summary: 'Start a hosted sign-in in a browser',
    description:
      'Redirects to the sign-in page, and then back to `redirect_uri` with `code` and `state`, or with `error`, `error_code`, `error_description` and `state`.',
    security: [],
    parameters: fieldParametersOf(ConnectAuthQuery, 'query', sample),
    responses: {
      302: {
        description: 'Redirect to the sign-in page of the provider or of Waypost, or back with an error',
        headers: { location: { description: 'The URL of the redirect.', schema: { type: 'string' } } },
      },
      400: {
        description: 'The client is unknown or the redirect URI is not registered: the browser is not redirected',
        content: {
          'application/json': { schema: refer('schemas', 'Error') },
          'text/html': { schema: { type: 'string' } },
        },
      },
    },
  },
})
