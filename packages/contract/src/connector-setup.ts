/** Facts about this installation for setting up a connector. */
import { z } from 'zod'
import { Connector } from './connectors.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

export const ConnectorSetup = z
  .object({
    provider: ProviderKind.meta({ description: 'Provider' }),
    redirect_uri: z.string().nullable().meta({
      description: 'Redirect URI to register at the provider, exactly as given; null if users do not sign in there',
    }),
    push: z
      .object({
        address: z.string().meta({ description: 'URL prefix to which the provider posts change notifications' }),
        reachable: z.boolean().meta({
          description:
            'Whether the provider can reach this URL: by https, or from this machine. Otherwise the service polls for changes.',
        }),
      })
      .nullable()
      .meta({ description: 'How the provider pushes changes; null if it cannot' }),
    simulator: z
      .object({
        url: z.string().nullable().meta({
          description: 'URL that replaces all hosts of the provider (`WAYPOST_<KIND>_URL`); null if none is set',
        }),
        ready: z.boolean().meta({
          description:
            'Whether a connector can be created without input, because its client is known or none is needed',
        }),
      })
      .meta({ description: 'Replacement of the provider, such as a simulator' }),
  })
  .meta({ id: 'ConnectorSetup', description: 'Facts needed to set up the connector of a provider' })
export type ConnectorSetup = z.output<typeof ConnectorSetup>

const path = '/v3/admin/applications/:application_id/connectors/:provider'

export const connectorSetup = {
  get: route({
    method: 'GET',
    path: `${path}/setup`,
    summary: 'Get setup facts of a connector',
    description:
      'Returns the URLs to register at the provider, and whether a simulator replaces it. The connector does not have to exist yet.',
    audience: 'administrator',
    returns: ConnectorSetup,
    errors: ['not_found'],
  }),
  simulate: route({
    method: 'POST',
    path: `${path}/simulate`,
    summary: 'Create the connector of a simulated provider',
    description:
      "Uses the client from the installation's settings (`npm run dev` sets it). An existing connector gets that client. Refused if no simulator replaces the provider, because the real provider would be contacted.",
    audience: 'administrator',
    returns: Connector,
    errors: ['not_found', 'conflict'],
  }),
}
