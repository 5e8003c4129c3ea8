/** `/account`: the agents of an account, and the approvals that they asked for. */
import type { Agent, Approval } from '@waypost/contract'
import { type Html, html } from '../hosted/html.ts'
import type { PageContent } from '../hosted/page.ts'
import type { Reader } from '../hosted/reader.ts'
import { csrfField, emailOf, notice, type OwnerVisit, timeOf } from './account-frame.ts'
import { titleOf } from './approval-view.ts'
import { rightKey } from './consent-view.ts'
import { shownLine } from './foreign-text.ts'

export interface AccountView {
  agents: readonly Agent[]
  pending: readonly Approval[]
  past: readonly Approval[]
  /** An agent was just disconnected. */
  isDisconnected: boolean
}

export function accountView(at: OwnerVisit, { agents, pending, past, isDisconnected }: AccountView): PageContent {
  const { t } = at.reader
  const title = t('account.title')
  return {
    title,
    body: html`<h1>${title}</h1>${isDisconnected && notice(t('account.disconnected'))}${signedIn(at)}
<h2>${t('account.pending')}</h2>${
      pending.length > 0
        ? html`<ul>${pending.map((each) => html`<li>${approvalCard(at, each)}</li>`)}</ul>`
        : html`<p class="quiet">${t('account.no_pending')}</p>`
    }
<h2>${t('account.agents')}</h2>${
      agents.length > 0
        ? html`<ul>${agents.map((each) => html`<li>${agentCard(at, each)}</li>`)}</ul>`
        : html`<p class="quiet">${t('account.no_agents')}</p>`
    }
<h2>${t('account.past')}</h2>${
      past.length > 0
        ? html`<ul>${past.map((each) => html`<li>${approvalCard(at, each)}</li>`)}</ul>`
        : html`<p class="quiet">${t('account.no_past')}</p>`
    }`,
  }
}

function signedIn(at: OwnerVisit): Html {
  const { t } = at.reader
  return html`<p class="quiet">${t('account.signed_in')}</p><ul class="accounts">${at.accounts.map(
    ({ grant }) => html`<li><bdi dir="ltr">${grant.email}</bdi></li>`,
  )}</ul><div class="links small"><a href="${at.link('/account/sign-in')}">${t('account.add')}</a><form class="inline" method="post" action="${at.link('/account/sign-out')}">${csrfField(at, 'sign-out')}<button>${t('account.sign_out')}</button></form></div>`
}

/** The accounts are named only if there are several. */
const accountLine = (at: OwnerVisit, grantIds: readonly (string | null)[]): Html | false =>
  at.accounts.length > 1 &&
  html`<p class="small quiet"><bdi dir="ltr">${grantIds
    .map((id) => emailOf(at, id))
    .filter((email) => email !== '')
    .join(', ')}</bdi></p>`

const listOf = ({ language }: Reader, words: readonly string[]): string =>
  new Intl.ListFormat(language.tag, { type: 'unit' }).format(words)

function agentCard(at: OwnerVisit, agent: Agent): Html {
  const { reader } = at
  const { t } = reader
  const name = shownLine(agent.name, 80)
  const { operations, approval, recipients } = agent.rights
  const rights = operations.flatMap((operation) => {
    const key = rightKey(operation)
    return key ? [t(key)] : []
  })
  const actions = listOf(
    reader,
    approval.map((kind) => t(`action.${kind}`)),
  )
  return html`<article class="card"><h3><bdi>${name}</bdi></h3>${accountLine(at, agent.grant_ids)}<p>${t('account.may')}</p><ul>${rights.map(
    (right) => html`<li>${right}</li>`,
  )}</ul><p>${actions === '' ? t('account.ask_never') : t('account.ask_first', { actions })}</p>${
    recipients && html`<p>${t('account.only_to', { recipients: listOf(reader, recipients) })}</p>`
  }<p class="small quiet">${t('account.connected', { time: timeOf(reader, agent.created_at) })}<br>${
    agent.last_used_at === null ? t('account.unused') : t('account.used', { time: timeOf(reader, agent.last_used_at) })
  }</p><form method="post" action="${at.link(`/account/agents/${agent.id}/disconnect`)}">${csrfField(at, `agent ${agent.id}`)}<button class="secondary small">${t('account.disconnect', { agent: name })}</button></form></article>`
}

function approvalCard(at: OwnerVisit, approval: Approval): Html {
  const { reader } = at
  const { subject } = approval.preview
  return html`<a class="card" href="${at.link(`/account/approvals/${approval.id}`)}"><p><strong>${titleOf(reader, approval)}</strong></p>${
    subject !== undefined && html`<p><bdi>${shownLine(subject, 120)}</bdi></p>`
  }${accountLine(at, [approval.grant_id])}<p class="small quiet"><span class="badge">${reader.t(`status.${approval.status}`)}</span> ${timeOf(reader, approval.created_at)}</p></a>`
}
