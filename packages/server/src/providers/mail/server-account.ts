/** An account at one server of mail: where it is, how it is reached, and by whom. */
import { ConnectionFailed } from './connection-failed.ts'

/** `tls` from the first byte, `starttls` after the greeting, or `none`: on this very machine only. */
export type Security = 'tls' | 'starttls' | 'none'

/** A user, and what shows who it is: a password, or an access token that is asked for whenever a connection is opened. */
export type Auth =
  | { user: string; password: string }
  | {
      user: string
      /**
       * A token that the server takes now; `refused` is one that it did not take. Answers the same one where there is no
       * other, and throws `grant_invalid` where the account gives none any more.
       */
      accessToken(signal: AbortSignal, refused?: string): Promise<string>
    }

/** What a server is shown at one login. */
export type Login = { user: string } & ({ password: string } | { accessToken: string })

export interface Account {
  host: string
  port: number
  /** Absent where it is to be found out. */
  security?: Security | undefined
  auth: Auth
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

/** Opens a connection with a login; where the server refuses a token, once more with the next one. */
export async function withLogin<T>(auth: Auth, signal: AbortSignal, open: (login: Login) => Promise<T>): Promise<T> {
  if ('password' in auth) return open(auth)
  const { user } = auth
  const accessToken = await auth.accessToken(signal)
  try {
    return await open({ user, accessToken })
  } catch (error) {
    if (!(error instanceof ConnectionFailed) || error.failure !== 'credentials') throw error
    const next = await auth.accessToken(signal, accessToken)
    if (next === accessToken) throw error
    return open({ user, accessToken: next })
  }
}
