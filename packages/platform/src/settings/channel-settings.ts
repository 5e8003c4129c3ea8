/** The operator's settings for notification channels: credentials for channels without their own, and endpoints. */
import { z } from 'zod'
import { baseAddress, said, text } from './values.ts'

/** Whether a text is the key of a Google service account. */
export function isServiceAccountKey(value: string): boolean {
  try {
    const { client_email, private_key } = JSON.parse(value)
    return typeof client_email === 'string' && typeof private_key === 'string'
  } catch {
    return false
  }
}

export const channelVariables = {
  WAYPOST_PUBSUB_CREDENTIALS: said(
    z.string().trim().refine(isServiceAccountKey).optional(),
    'the JSON text of a service account key, with client_email and private_key',
    '{"client_email":"…","private_key":"…"}',
    'secret',
  ).describe('The service account that publishes for Pub/Sub channels without their own credentials.'),
  WAYPOST_PUBSUB_URL: baseAddress('http://127.0.0.1:8085').describe(
    'An address that replaces https://pubsub.googleapis.com, such as that of the emulator.',
  ),
  WAYPOST_SNS_ACCESS_KEY_ID: text('the id of an access key', 'AKIA…').describe(
    'The access key that publishes, or assumes the roles, for SNS channels without their own.',
  ),
  WAYPOST_SNS_SECRET_ACCESS_KEY: text('the secret of that access key', '…', 'secret').describe('Its secret.'),
  WAYPOST_SNS_URL: baseAddress('http://127.0.0.1:4566').describe(
    'An address that replaces those of SNS and STS in all regions, such as that of an emulator.',
  ),
}

const shape = z.object(channelVariables)
type Values = z.output<typeof shape>

/** Settings that contradict each other. */
export function channelProblems(values: Values): string[] {
  const { WAYPOST_SNS_ACCESS_KEY_ID: id, WAYPOST_SNS_SECRET_ACCESS_KEY: secret } = values
  return (id === undefined) === (secret === undefined)
    ? []
    : ['WAYPOST_SNS_ACCESS_KEY_ID and WAYPOST_SNS_SECRET_ACCESS_KEY belong together: set both or neither']
}

/** The endpoints of channels. */
export const channelEndpointsOf = (values: Values): { pubsub: string | undefined; sns: string | undefined } => ({
  pubsub: values.WAYPOST_PUBSUB_URL,
  sns: values.WAYPOST_SNS_URL,
})

export interface ChannelSecrets {
  pubsub?: { credentials: string }
  sns?: { access_key_id: string; secret_access_key: string }
}

/** The operator's credentials. */
export function channelSecretsOf(values: Values): ChannelSecrets {
  const { WAYPOST_PUBSUB_CREDENTIALS: credentials } = values
  const { WAYPOST_SNS_ACCESS_KEY_ID: id, WAYPOST_SNS_SECRET_ACCESS_KEY: secret } = values
  return {
    ...(credentials === undefined ? {} : { pubsub: { credentials } }),
    ...(id === undefined || secret === undefined ? {} : { sns: { access_key_id: id, secret_access_key: secret } }),
  }
}
