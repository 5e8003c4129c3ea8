/** The kinds that are compared, and what an explained difference is. */
export const kindNames = [
  'google',
  'microsoft',
  'imap',
  'imap + DAV',
  'icloud',
  'yahoo',
  'ews',
  'virtual-calendar',
] as const
export type KindName = (typeof kindNames)[number]

export interface Difference {
  kinds: readonly KindName[]
  /** Names of requests; `*` at the end stands for any rest. */
  requests: readonly string[]
  /** Fields of the answer; `status` stands for the type of the error too. */
  fields: readonly string[]
  /** What the requests are, for readers of the documentation. */
  where: string
  /** What these kinds answer. */
  what: string
  why: string
}
