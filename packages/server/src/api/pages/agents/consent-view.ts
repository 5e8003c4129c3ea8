/** The consent page: who asks, for which accounts, and what it may do. It works without scripts. */
import type { ApprovalKind, KeyOperation } from '@waypost/contract'
import type { AgentClient } from '../../../agents/oauth/client-documents.ts'
import { redirectPlace } from '../../../agents/oauth/redirect-uris.ts'
import { dangerousScopes } from '../../../agents/oauth/scopes.ts'
import { detailsOf, hidden, requestIdOf } from '../hosted/frame.ts'
import { type Html, html } from '../hosted/html.ts'
import type { PlainKey } from '../hosted/languages.ts'
import type { PageContent } from '../hosted/page.ts'
import type { Reader } from '../hosted/reader.ts'
import { shownLine } from './foreign-text.ts'

export const consentStyle = `
main{max-width:34rem}.check{display:flex;gap:.75rem;align-items:flex-start;padding:.4rem 0;font-weight:400;margin:0;overflow-wrap:anywhere;min-width:0}.check span{min-width:0}.check input{width:1.25rem;height:1.25rem;min-height:0;padding:0;margin:.13rem 0 0;flex:none;accent-color:var(--fill)}
.who{background:var(--soft);border-radius:.6rem;padding:.85rem 1rem;margin:0 0 1.25rem}.who p{margin:0 0 .35rem}.who p:last-child{margin:0}.warn{color:var(--bad);font-weight:600}.tag{color:var(--bad);font-size:.875rem}
.step{border-top:1px solid var(--hair);padding-top:.25rem;margin-bottom:1rem}.step legend{padding-inline-end:.6rem}.buttons{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin:0 0 1rem}.plain{background:var(--card);color:var(--ink)}.plain:hover{background:var(--soft);filter:none}
.scroll{max-height:18rem;overflow:auto}.search{display:flex;gap:.5rem;margin:0 0 .5rem}.search button{width:auto}
@media(max-width:30rem){main{max-width:none}}`

/** What every step shows of the client. */
export interface ConsentQuestion {
  reader: Reader
  client: AgentClient
  redirectUri: string
  application: string
}

/** Who asks. The name is what the client says; only the host of a metadata document is proven. */
function whoOf({ reader: { t }, client, redirectUri }: ConsentQuestion): Html {
  const place = redirectPlace(redirectUri)
  const verified = client.verifiedHost
  return html`<div class="who"><p><strong><bdi>${shownLine(client.name, 100)}</bdi></strong></p>${
    verified === undefined
      ? html`<p class="warn">${t('consent.unverified')}</p>`
      : html`<p>${t('consent.verified', { host: verified })}</p>`
  }<p>${t(`consent.returns_${place.kind}`, { place: place.name })}</p></div>`
}

const titleOf = ({ reader: { t }, client, application }: ConsentQuestion): string =>
  t('consent.title', { client: shownLine(client.name, 60), application })

/** The first page: the person signs in before anything is decided. */
export function entryView(
  requesting: ConsentQuestion,
  links: { signIn: string; administrator: string; cancel: string },
): PageContent {
  const { reader, client, application } = requesting
  const { t } = reader
  const title = titleOf(requesting)
  return {
    title,
    style: consentStyle,
    body: html`<h1>${title}</h1>${whoOf(requesting)}<p>${t('consent.sign_in_why', { application, client: shownLine(client.name, 60) })}</p><p><a class="button" href="${links.signIn}"><span>${t('consent.sign_in')}</span></a></p><p class="links small"><a href="${links.cancel}">${t('consent.cancel')}</a><a href="${links.administrator}">${t('consent.as_administrator', { application })}</a></p>`,
  }
}

export interface ShownAccount {
  id: string
  label: string
  isChosen: boolean
}

export interface ConsentForm {
  action: string
  /** The request, and who decides. */
  fields: Readonly<Record<string, string>>
  accounts: readonly ShownAccount[]
  /** Of an administrator: the text of the search. */
  search?: string | undefined
  /** Of an owner: the link that signs in to another account. */
  addAccount?: string | undefined
  /** The name of the administrator. */
  administrator?: string | undefined
  rights: readonly { operation: KeyOperation; isChosen: boolean }[]
  asks: readonly { kind: ApprovalKind; isChosen: boolean }[]
  problem?: string | undefined
}

const check = (name: string, value: string, isChosen: boolean, label: Html): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChosen && html` checked`}><span>${label}</span></label>`

function accountsOf({ t }: Reader, form: ConsentForm): Html {
  const { accounts, search, addAccount } = form
  return html`<fieldset class="step"><legend>${t('consent.accounts')}</legend>${
    search !== undefined &&
    html`<div class="search"><input type="search" name="search" value="${search}" aria-label="${t('consent.search')}"><button class="plain" name="decision" value="search">${t('consent.search')}</button></div>`
  }<div class="scroll">${
    accounts.length > 0
      ? accounts.map(({ id, label, isChosen }) => check('grant', id, isChosen, html`<bdi dir="ltr">${label}</bdi>`))
      : html`<p class="quiet">${t('consent.no_accounts')}</p>`
  }</div>${addAccount !== undefined && html`<p class="links small"><a href="${addAccount}">${t('account.add')}</a></p>`}</fieldset>`
}

/** What an operation means for the owner of an account. The endpoint of an agent is no right that people care about. */
export const rightKey = (operation: KeyOperation): PlainKey | undefined =>
  operation === 'mcp' ? undefined : `right.${operation}`

function rightsOf({ t }: Reader, { rights, asks }: ConsentForm): Html {
  return html`<fieldset class="step"><legend>${t('consent.rights')}</legend>${rights.flatMap(
    ({ operation, isChosen }) => {
      const words = rightKey(operation)
      const tag = dangerousScopes.has(operation) && html` <span class="tag">${t('consent.careful')}</span>`
      return words ? [check('right', operation, isChosen, html`${t(words)}${tag}`)] : []
    },
  )}</fieldset><fieldset class="step"><legend>${t('consent.ask')}</legend><p class="small quiet">${t('consent.ask_why')}</p>${asks.map(
    ({ kind, isChosen }) => check('ask', kind, isChosen, html`${t(`action.${kind}`)}`),
  )}</fieldset>`
}

/** The page on which the person decides. */
export function consentView(requesting: ConsentQuestion, form: ConsentForm): PageContent {
  const { reader } = requesting
  const { t } = reader
  const title = titleOf(requesting)
  return {
    title,
    style: consentStyle,
    ...(form.problem === undefined ? {} : { status: 400 }),
    body: html`<h1>${title}</h1>${
      form.problem !== undefined && html`<div class="alert" role="alert"><p>${form.problem}</p></div>`
    }${whoOf(requesting)}${
      form.administrator !== undefined && html`<p>${t('consent.administrator', { name: form.administrator })}</p>`
    }<form method="post" action="${form.action}">${Object.entries(form.fields).map(([name, value]) => hidden(name, value))}${accountsOf(reader, form)}${rightsOf(reader, form)}<div class="buttons"><button name="decision" value="allow">${t('consent.allow')}</button><button class="plain" name="decision" value="deny">${t('consent.deny')}</button></div></form><p class="small quiet">${t('consent.later')}</p>`,
  }
}

/** A request that cannot go on, and cannot be returned to the client either. */
export const stoppedView = (
  reader: Reader,
  {
    status,
    text,
    technical,
    link,
  }: { status: number; text: string; technical?: string; link?: { href: string; label: string } },
): PageContent => {
  const title = reader.t('consent.stop_title')
  return {
    status,
    title,
    body: html`<h1>${title}</h1><div class="alert" role="alert"><p>${text}</p></div>${
      link && html`<p><a class="button" href="${link.href}"><span>${link.label}</span></a></p>`
    }${technical !== undefined && detailsOf(reader, technical)}${requestIdOf(reader)}`,
  }
}
