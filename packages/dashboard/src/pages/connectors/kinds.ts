/** Facts from the provider catalog for the forms. */
import { type ProviderKind, providerKinds } from '@waypost/sdk'

export const kinds = Object.keys(providerKinds) as ProviderKind[]

export const isKind = (text: string): text is ProviderKind => kinds.some((kind) => kind === text)

const shortTitles: Partial<Record<ProviderKind, string>> = {
  imap: 'IMAP',
  ews: 'Exchange',
  'virtual-calendar': 'Virtual calendar',
}

/** Short provider name for lists. */
export const providerTitle = (provider: string): string =>
  isKind(provider) ? (shortTitles[provider] ?? providerKinds[provider].title) : provider

export interface ConnectorField {
  name: string
  secret: boolean
  required: boolean
}

/** The settings of a connector. */
export const fieldsOf = (kind: ProviderKind): readonly ConnectorField[] => providerKinds[kind].connectorSettings

/** Whether people sign in at the provider through your OAuth client. */
export const needsClient = (kind: string): boolean =>
  isKind(kind) && fieldsOf(kind).some(({ name }) => name === 'client_id')
