/**
 * Redirects to an OpenID provider and handles the return. No page is rendered here; the dashboard shows the result.
 */

import { ApiError } from '@waypost/platform/api-error'
import { oidcPaths } from '@waypost/platform/settings/oidc-settings'
import { OidcError } from '../../applications/oidc.ts'
import type { OidcSignIn } from '../../applications/oidc-sign-in.ts'
import { prefixOf } from '../http/base-path.ts'
import type { LivePage, PageAnswer } from '../pipeline/page.ts'
import { cookieIn } from './hosted/cookie.ts'

export interface DashboardOidcOptions {
  baseUrl: string
  /** Undefined if no provider is configured. */
  oidc: OidcSignIn | undefined
}

/** Maximum duration of a sign-in. */
const retainedSeconds = 600

export function dashboardOidcPages({ baseUrl, oidc }: DashboardOidcOptions): LivePage[] {
  if (!oidc) return []
  const prefix = prefixOf(baseUrl)
  const secure = baseUrl.startsWith('https:')
  const cookie = secure ? '__Host-waypost-oidc' : 'waypost-oidc'
  /** Lax, because the cookie must be sent when the provider redirects the browser back. */
  const cookieOf = (value: string, maxAge: number): string =>
    `${cookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`

  const goTo = (location: string, cookies: readonly string[]): PageAnswer => ({
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      // One per line.
      ...(cookies.length > 0 ? { 'set-cookie': cookies.join('\n') } : {}),
    },
    body: null,
  })
  /** In the URL fragment, which is not logged; the page has the messages. */
  const refused = (error: unknown, cookies: readonly string[]): PageAnswer => {
    if (error instanceof OidcError) return goTo(`${prefix}/dashboard#oidc=${error.refusal}`, cookies)
    if (error instanceof ApiError && error.status === 401) return goTo(`${prefix}/dashboard#oidc=expired`, cookies)
    throw error
  }

  return [
    {
      path: oidcPaths.begin,
      answer: async ({ query }) => {
        try {
          const { location, retained } = await oidc.begin(query.get('to') ?? '')
          return goTo(location, [cookieOf(retained, retainedSeconds)])
        } catch (error) {
          return refused(error, [])
        }
      },
    },
    {
      path: oidcPaths.callback,
      answer: async (visit) => {
        const spent = cookieOf('', 0)
        try {
          const { cookies, to } = await oidc.finish(visit, {
            query: visit.query,
            retained: cookieIn(visit.header('cookie'), cookie),
          })
          return goTo(`${prefix}/dashboard${to}`, [...cookies, spent])
        } catch (error) {
          return refused(error, [spent])
        }
      },
    },
  ]
}
