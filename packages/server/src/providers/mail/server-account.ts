/** An account at one server of mail: where it is, how it is reached, and by whom. */

/** `tls` from the first byte, `starttls` after the greeting, or `none`: on this very machine only. */
export type Security = 'tls' | 'starttls' | 'none'

export interface Account {
  host: string
  port: number
  /** Absent where it is to be found out. */
  security?: Security | undefined
  user: string
  password?: string | undefined
  accessToken?: string | undefined
}

/** What a TLS connection is first tried as: the well-known ports say it themselves. */
export const securityByPort: Record<number, Security> = {
  993: 'tls',
  465: 'tls',
  143: 'starttls',
  587: 'starttls',
  25: 'starttls',
  2525: 'starttls',
}
