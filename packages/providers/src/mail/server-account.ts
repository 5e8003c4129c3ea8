/** An account on one mail server: host, encryption and login. */
import { ConnectionFailed } from './connection-failed.ts'

/** `tls` from the first byte, `starttls` after the greeting, or `none` on this machine only. */
export type Security = 'tls' | 'starttls' | 'none'

/** A user with a password, or with an access token that is requested for each new connection. */
export type Auth =
  | { user: string; password: string }
  | {
      user: string
      /**
       * Returns a current token. `refused` is one that the server rejected. Returns the same one if there is no
       * other, and throws `grant_invalid` if the account has none any more.
       */
      accessToken(signal: AbortSignal, refused?: string): Promise<string>
    }

/** The credentials of one login. */
export type Login = { user: string } & ({ password: string } | { accessToken: string })

export interface Account {
  host: string
  port: number
  /** Absent if unknown. */
  security?: Security | undefined
  auth: Auth
}

const retainedWords = 300

/** What a server said about a login, without anything that may repeat the secret; empty if nothing is left. */
export function wordsAbout(login: Login, said: unknown): string {
  if (typeof said !== 'string') return ''
  const secret = 'password' in login ? login.password : login.accessToken
  const repeats = said.includes(secret) || /[A-Za-z0-9+/]{24}/.test(said.replaceAll(login.user, ''))
  return repeats ? '' : said.replaceAll(/\s+/g, ' ').trim().slice(0, retainedWords)
}

/** The encryption of well-known ports. */
export const securityByPort: Record<number, Security> = {
  993: 'tls',
  465: 'tls',
  143: 'starttls',
  587: 'starttls',
  25: 'starttls',
  2525: 'starttls',
}

/** Opens a connection with a login; if the server refuses a token, tries once more with the next one. */
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
