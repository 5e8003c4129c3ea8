/** What the contract knows of provider kinds, as the forms need it. */
import { type ProviderKind, providerKinds } from '@waypost/contract'
import { baseUrl } from '../../api.ts'

export const kinds = Object.keys(providerKinds) as ProviderKind[]

export const isKind = (text: string): text is ProviderKind => kinds.some((kind) => kind === text)

const shortTitles: Partial<Record<ProviderKind, string>> = {
  imap: 'IMAP',
  ews: 'Exchange',
  'virtual-calendar': 'Virtual calendar',
}

/** A provider in a word or two, for lists. */
export const providerTitle = (provider: string): string =>
  isKind(provider) ? (shortTitles[provider] ?? providerKinds[provider].title) : provider

export interface ConnectorField {
  name: string
  secret: boolean
  required: boolean
}

/** The settings that a connector of a kind takes. */
export function fieldsOf(kind: ProviderKind): ConnectorField[] {
  const { connectorSettings, secretSettings } = providerKinds[kind]
  const secrets: readonly string[] = secretSettings
  return Object.entries(connectorSettings.shape).map(([name, schema]) => ({
    name,
    secret: secrets.includes(name),
    required: !schema.safeParse(undefined).success,
  }))
}

/** Whether people sign in at the provider itself, through a client of yours. */
export const needsClient = (kind: string): boolean =>
  isKind(kind) && fieldsOf(kind).some(({ name }) => name === 'client_id')

/** What is to be registered at the provider. */
export const callbackUri = `${baseUrl}/v3/connect/callback`
