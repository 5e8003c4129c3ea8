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
    summary: 'Begin a hosted sign-in, in a browser',
    description:
      'Leads to the sign-in page, and back to `redirect_uri` with `code` and `state`, or with `error`, `error_code`, `error_description` and `state`.',
    security: [],
    parameters: fieldParametersOf(ConnectAuthQuery, 'query', sample),
    responses: {
      302: {
        description: 'To the sign-in page of the provider or ours, or back with an error',
        headers: { location: { description: 'Where the browser goes.', schema: { type: 'string' } } },
      },
      400: {
        description: 'The client is unknown or the redirect URI not its own: nobody is sent anywhere',
        content: {
          'application/json': { schema: refer('schemas', 'Error') },
          'text/html': { schema: { type: 'string' } },
        },
      },
    },
  },
})
