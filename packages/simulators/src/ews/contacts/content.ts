// The stored content of a contact and of a distribution list.
import type { SaidContent } from '../shapes/said-fields.ts'

export interface EmailEntry {
  readonly address: string
  /** As written; undefined if there is only an address. */
  readonly name: string | undefined
  readonly routingType: string
}

export const addressParts = ['Street', 'City', 'State', 'CountryOrRegion', 'PostalCode'] as const
export type AddressPart = (typeof addressParts)[number]
export type PhysicalAddress = Partial<Record<AddressPart, string>>

export interface ContactContent extends SaidContent {
  /** Fields with one text, keyed by element name. */
  readonly texts: Readonly<Record<string, string>>
  /** Fields with several texts: `Children`, `Companies`. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** Milliseconds: `Birthday`, `WeddingAnniversary`. */
  readonly times: Readonly<Record<string, number>>
  /** Keyed by `EmailAddress1` to `EmailAddress3`. */
  readonly emails: Readonly<Record<string, EmailEntry>>
  readonly phones: Readonly<Record<string, string>>
  readonly instantMessages: Readonly<Record<string, string>>
  /** Keyed by `Home`, `Business`, `Other`. */
  readonly addresses: Readonly<Record<string, PhysicalAddress>>
}

export interface ListMember {
  readonly name: string
  readonly address: string
}

export interface DistributionListContent extends SaidContent {
  readonly displayName: string
  readonly members: readonly ListMember[]
}

export const emailKeys = ['EmailAddress1', 'EmailAddress2', 'EmailAddress3'] as const
export const instantMessageKeys = ['ImAddress1', 'ImAddress2', 'ImAddress3'] as const
export const addressKeys = ['Home', 'Business', 'Other'] as const
export const phoneKeys = [
  ...['AssistantPhone', 'BusinessFax', 'BusinessPhone', 'BusinessPhone2', 'Callback', 'CarPhone', 'CompanyMainPhone'],
  ...[
    'HomeFax',
    'HomePhone',
    'HomePhone2',
    'Isdn',
    'MobilePhone',
    'OtherFax',
    'OtherTelephone',
    'Pager',
    'PrimaryPhone',
  ],
  ...['RadioPhone', 'Telex', 'TtyTddPhone', 'BusinessMobile', 'IPPhone', 'Mms', 'Msn'],
] as const
