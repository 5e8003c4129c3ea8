/** What the catalogue knows of provider kinds, as the forms need it. */
import { type ProviderKind, providerKinds } from '@waypost/sdk'

export const kinds = Object.keys(providerKinds) as ProviderKind[]

/** Kinds that grants can be of. Zoom is known by name alone: no server connects accounts of it. */
export const connectable = kinds.filter((kind) => kind !== 'zoom')

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
export const fieldsOf = (kind: ProviderKind): readonly ConnectorField[] => providerKinds[kind].connectorSettings

/** Whether people sign in at the provider itself, through a client of yours. */
export const needsClient = (kind: string): boolean =>
  isKind(kind) && fieldsOf(kind).some(({ name }) => name === 'client_id')
