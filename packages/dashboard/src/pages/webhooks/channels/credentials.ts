/** Ways in which a channel signs in at its broker. The service never returns credentials, so forms only write them. */
import type { Values } from '../../../components/form.tsx'
import type { ChannelTransport } from '../../../destinations.ts'

export type SecretName = 'credentials' | 'access_key_id' | 'secret_access_key' | 'token' | 'username' | 'password'

export interface SecretField {
  name: SecretName
  label: string
  hint?: string
  /** `lines`: a text of several lines, such as a file. */
  kind: 'text' | 'password' | 'lines'
}

export interface CredentialKind {
  value: string
  text: string
  fields: readonly SecretField[]
}

const user: CredentialKind = {
  value: 'user',
  text: 'User name and password',
  fields: [
    { name: 'username', label: 'User name', kind: 'text' },
    { name: 'password', label: 'Password', kind: 'password' },
  ],
}
const anonymous: CredentialKind = { value: 'none', text: 'None', fields: [] }
const operator: CredentialKind = { value: 'none', text: 'Those of the operator', fields: [] }

/** The first way of each transport is the one without credentials of its own. */
const ways: Readonly<Record<ChannelTransport, readonly [without: CredentialKind, ...own: CredentialKind[]]>> = {
  pubsub: [
    operator,
    {
      value: 'key',
      text: 'Key of a service account',
      fields: [
        {
          name: 'credentials',
          label: 'Key of the service account',
          kind: 'lines',
          hint: 'The content of its JSON file. Stored encrypted and never shown again.',
        },
      ],
    },
  ],
  sns: [
    operator,
    {
      value: 'key',
      text: 'Access key',
      fields: [
        { name: 'access_key_id', label: 'Access key ID', kind: 'text' },
        {
          name: 'secret_access_key',
          label: 'Secret access key',
          kind: 'password',
          hint: 'Stored encrypted and never shown again.',
        },
      ],
    },
  ],
  nats: [
    anonymous,
    {
      value: 'token',
      text: 'Token',
      fields: [{ name: 'token', label: 'Token', kind: 'password', hint: 'Stored encrypted and never shown again.' }],
    },
    user,
    {
      value: 'file',
      text: 'Credentials file',
      fields: [
        {
          name: 'credentials',
          label: 'Content of the .creds file',
          kind: 'lines',
          hint: 'It has a JWT and a seed. Stored encrypted and never shown again.',
        },
      ],
    },
  ],
  amqp: [anonymous, user],
}

const retained: CredentialKind = { value: 'kept', text: 'Unchanged', fields: [] }

/** The ways that a form offers, the proposed one first. */
export function credentialKindsFor(
  transport: ChannelTransport,
  channel: { has_credentials: boolean } | undefined,
): CredentialKind[] {
  const [without, ...own] = ways[transport]
  if (channel?.has_credentials)
    return [retained, ...own, { ...without, text: `${without.text} (removes the stored ones)` }]
  // Servers of NATS often need none. The clouds and RabbitMQ nearly always do.
  return channel || transport === 'nats' ? [without, ...own] : [...own, without]
}

/** What a request says about the credentials: nothing if they stay, null if the channel is to have none. */
export function secretsIn(transport: ChannelTransport, values: Values): { [N in SecretName]?: string | null } {
  const chosen = values.text('sign_in')
  if (chosen === retained.value) return {}
  const [without, ...own] = ways[transport]
  const way = own.find(({ value }) => value === chosen) ?? without
  const names = way === without ? own.flatMap(({ fields }) => fields).map(({ name }) => name) : []
  return {
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...Object.fromEntries(way.fields.map(({ name }) => [name, values.exact(name)])),
  }
}
