/** What whoever sets up a connector has to know of this installation. */
import { z } from 'zod'
import { Connector } from './connectors.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

export const ConnectorSetup = z
  .object({
    provider: ProviderKind.meta({ description: 'Kind of the accounts' }),
    redirect_uri: z.string().nullable().meta({
      description: 'To be registered at the provider, letter for letter; null where users do not sign in there',
    }),
    push: z
      .object({
        address: z.string().meta({ description: 'Addresses that begin so take what the provider posts of changes' }),
        reachable: z.boolean().meta({
          description:
            'Whether the provider can post there: by https, or from this machine. Where it cannot, changes are looked for now and then.',
        }),
      })
      .nullable()
      .meta({ description: 'How the provider tells of changes at once; null where it cannot' }),
    simulator: z
      .object({
        url: z.string().nullable().meta({
          description: 'Address that stands for all hosts of the provider (`WAYPOST_<KIND>_URL`); null where none does',
        }),
        ready: z.boolean().meta({
          description:
            'Whether a connector to it can be made without giving anything: its client is known, or none is needed',
        }),
      })
      .meta({ description: 'What stands in for the provider, such as a simulator' }),
  })
  .meta({ id: 'ConnectorSetup', description: 'What is to be known for setting up the connector of a provider' })
export type ConnectorSetup = z.output<typeof ConnectorSetup>

const path = '/v3/admin/applications/:application_id/connectors/:provider'

export const connectorSetup = {
  get: route({
    method: 'GET',
    path: `${path}/setup`,
    summary: 'Tell what is needed to set up the connector of a provider',
    description:
      'Addresses to register at the provider, and whether something stands in for it. The connector need not be there yet.',
    audience: 'administrator',
    returns: ConnectorSetup,
    errors: ['not_found'],
  }),
  simulate: route({
    method: 'POST',
    path: `${path}/simulate`,
    summary: 'Make the connector of a provider that is simulated',
    description:
      'With the client that the settings of the installation name (`npm run dev` does). A connector that is there gets that client. Refused where nothing stands in for the provider: the real one would be asked.',
    audience: 'administrator',
    returns: Connector,
    errors: ['not_found', 'conflict'],
  }),
}
