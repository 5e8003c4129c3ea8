/** What the pages of account owners have in common: the application, the owner, links, times and the frame. */
import type { Clock } from '@waypost/platform/clock'
import type { ApplicationRow } from '@waypost/store/tables/applications/applications'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { AccountOwner } from '../../../agents/owner-session.ts'
import type { PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { csrfOf } from '../hosted/cookie.ts'
import { hidden } from '../hosted/frame.ts'
import { type Html, html } from '../hosted/html.ts'
import type { Language } from '../hosted/languages.ts'
import { type PageAppearance, type PageContent, pageWith } from '../hosted/page.ts'
import type { Reader } from '../hosted/reader.ts'

/** A visit to a page of an application. */
export interface AccountVisit {
  visit: PageVisit
  application: ApplicationRow
  appearance: PageAppearance
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
  return pageWith(at.appearance, at.reader, { ...content, style: accountStyle }, { languages })
}

/** The hidden field that a form of this session must have. */
export const csrfField = ({ owner }: OwnerVisit, form: string): Html => hidden('csrf', csrfOf(owner.secret, form))

/** A time with its zone, because the service does not know that of the reader. */
export function timeOf({ language }: Reader, unixSeconds: number): string {
  const format = new Intl.DateTimeFormat(language.tag, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return format.format(unixSeconds * 1_000)
}

export const emailOf = ({ accounts }: OwnerVisit, grantId: string | null): string =>
  accounts.find(({ grant }) => grant.id === grantId)?.grant.email ?? ''

export const notice = (text: string, more?: Html | false): Html =>
  html`<div class="notice" role="status"><p><strong>${text}</strong></p>${more}</div>`

/** Styles of the pages of account owners, in addition to those of all hosted pages. */
const accountStyle = `
body{justify-content:flex-start;align-items:center}main{max-width:44rem}
h2{font-size:1.1rem;line-height:1.3;margin:1.75rem 0 .6rem}h3{font-size:1rem;margin:0 0 .35rem;overflow-wrap:anywhere}
.accounts{display:flex;flex-wrap:wrap;gap:.35rem .5rem;margin:0 0 .75rem}.accounts li{background:var(--soft);border-radius:.4rem;padding:.2rem .6rem;overflow-wrap:anywhere}
.card{border:1px solid var(--hair);border-radius:.6rem;padding:1rem;margin:0}.card p{margin:0 0 .5rem}.card p:last-child{margin:0}.card ul{gap:.15rem;margin:0 0 .75rem;padding-inline-start:1.1rem;list-style:disc}.card form{margin:.75rem 0 0}
a.card{display:block;color:var(--ink);text-decoration:none}a.card:hover{background:var(--soft)}a.card strong{overflow-wrap:anywhere}
.badge{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:.05rem .6rem;font-size:.875rem;color:var(--quiet)}
.notice{background:var(--soft);border-inline-start:.25rem solid var(--accent);border-radius:.4rem;padding:.75rem 1rem;margin:0 0 1rem}.notice p{margin:0}.notice p+p{margin-top:.25rem}
.facts{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.35rem 1rem;margin:0 0 1rem}.facts dt{color:var(--quiet)}.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
.foreign{border:1px solid var(--line);border-radius:.6rem;background:var(--soft);padding:.85rem 1rem;margin:0 0 1rem;max-height:min(40rem,70vh);overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}.foreign:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.foreign.line{padding:.5rem .75rem;max-height:8rem}.code{font-family:ui-monospace,Menlo,monospace;font-size:.8em;border:1px solid var(--bad);color:var(--bad);border-radius:.25rem;padding:0 .2rem;margin:0 .1rem;unicode-bidi:isolate}
.people{max-height:16rem;overflow:auto;margin:0 0 1rem}.people .facts{margin:0}.people:focus-visible{outline:3px solid var(--link);outline-offset:2px}.decide{border-top:1px solid var(--hair);margin-top:1.5rem;padding-top:1.25rem}.decide form+form{margin-top:1.25rem}.decide button+p{margin:.35rem 0 0}
.secondary{background:var(--card);color:var(--ink)}.secondary:hover{background:var(--soft);filter:none}button.small{min-height:2.5rem;width:auto;font-weight:500}.inline{display:inline;margin:0}.inline button{width:auto;min-height:0;padding:.4rem 0;border:0;background:none;color:var(--link);font-weight:400;text-decoration:underline;text-underline-offset:.15em}
@media(max-width:30rem){.facts{grid-template-columns:1fr;gap:.1rem}.facts dd{margin-bottom:.5rem}.foreign{max-height:none}}`
