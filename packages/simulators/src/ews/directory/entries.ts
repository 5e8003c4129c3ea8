// The directory (global address list): the users with a mailbox, and other entries of the organization.

export interface DirectoryEntry {
  readonly email: string
  readonly name: string
  readonly aliases?: readonly string[]
  /** Default `Mailbox`. */
  readonly kind?: 'Mailbox' | 'PublicDL' | 'Contact'
  readonly givenName?: string
  readonly surname?: string
  readonly companyName?: string
  readonly department?: string
  readonly jobTitle?: string
  readonly officeLocation?: string
  readonly businessPhone?: string
  readonly mobilePhone?: string
}

/** legacyExchangeDN: the directory name of an entry. */
export const directoryName = ({ email }: Pick<DirectoryEntry, 'email'>): string =>
  `/o=Exchange/ou=Exchange Administrative Group (FYDIBOHF23SPDLT)/cn=Recipients/cn=${email.replaceAll(/[^\w-]/g, '_')}`

/**
 * Whether an entry matches: by address (with `smtp:` before it), by directory name, or by prefixes of names and
 * addresses.
 */
export function isMeant({ email, name, aliases = [] }: DirectoryEntry, wanted: string): boolean {
  const entry = wanted.trim().toLowerCase()
  const addresses = [email, ...aliases].map((address) => address.toLowerCase())
  if (entry.startsWith('/o=')) return directoryName({ email }).toLowerCase() === entry
  if (entry.startsWith('smtp:')) return addresses.includes(entry.slice(5))
  if (addresses.some((address) => address.startsWith(entry))) return true
  // Each search word must be a prefix of a word of the name.
  const words = name.toLowerCase().split(/\s+/)
  return entry.split(/\s+/).every((part) => words.some((word) => word.startsWith(part)))
}
