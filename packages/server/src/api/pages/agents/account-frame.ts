/** What the pages of account owners have in common: the application, the owner, links, times and the frame. */

import type { Clock } from '@waypost/platform/clock'
import type { ApplicationRow } from '@waypost/store/tables/applications/applications'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { AccountOwner } from '../../../agents/owner-session.ts'
import type { PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { csrfOf } from '../hosted/cookie.ts'
import { hidden } from '../hosted/frame.ts'
import { type Html, html } from '../hosted/html.ts'
import type { Language } from '../hosted/languages/language.ts'
import { type Look, type PageContent, pageWith } from '../hosted/page.ts'
import type { Reader } from '../hosted/reader.ts'
import { accountStyle } from './account-style.ts'

/** A visit to a page of an application. */
export interface AccountVisit {
  visit: PageVisit
  application: ApplicationRow
  look: Look
  reader: Reader
  languages: readonly Language[]
  clock: Clock
  /** The path of another page of the same application, in the chosen language. */
  link(path: string, more?: Record<string, string>): string
}

/** A visit of an owner who has signed in. */
export interface OwnerVisit extends AccountVisit {
  owner: AccountOwner
  /** The accounts of the owner that are connected now. */
  accounts: readonly GrantRecord[]
}

/** The query that all pages of an application have. */
export function commonQuery({ query }: PageVisit, applicationId: string): Record<string, string> {
  const locales = query.get('ui_locales')
  return { client_id: applicationId, ...(locales === null ? {} : { ui_locales: locales.slice(0, 100) }) }
}

/** A page in the frame of the hosted pages. `path` is its own path, for the choice of the language. */
export function accountPage(at: AccountVisit, path: string, content: PageContent): PageAnswer {
  const pathIn = (tag: string): string => at.link(path, { ui_locales: tag })
  const languages = { all: at.languages, pathIn }
  return pageWith(at.look, at.reader, { ...content, style: accountStyle }, { languages })
}

/** The hidden field that a form of this session must have. */
export const csrfField = ({ owner }: OwnerVisit, form: string): Html => hidden('csrf', csrfOf(owner.secret, form))

/** A time with its zone, because the service does not know that of the reader. */
export function timeOf({ language }: Reader, unixSeconds: number): string {
  const format = new Intl.DateTimeFormat(language.tag, {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  })
  return format.format(unixSeconds * 1_000)
}

export const emailOf = ({ accounts }: OwnerVisit, grantId: string | null): string =>
  accounts.find(({ grant }) => grant.id === grantId)?.grant.email ?? ''

export const notice = (text: string, more?: Html | false): Html =>
  html`<div class="notice" role="status"><p><strong>${text}</strong></p>${more}</div>`
