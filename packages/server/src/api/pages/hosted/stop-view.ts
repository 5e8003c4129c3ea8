/** Pages that redirect, or end the sign-in. */
import { detailsOf, requestIdOf } from './frame.ts'
import { html } from './html.ts'
import type { PageContent } from './page.ts'
import type { Reader } from './reader.ts'
import type { Stop } from './stops.ts'

/**
 * A page between a form and an external URL: the policy does not allow forms to redirect there, so the browser
 * continues from this page.
 */
export const leavingView = ({ t }: Reader, title: string, next: string): PageContent => ({
  title,
  next,
  body: html`<h1>${title}</h1><p><a href="${next}">${t('leaving.link')}</a></p>`,
})

/** An error page if the user cannot be returned to the application. */
export const stopView = (reader: Reader, status: number, stop: Stop, technical: string): PageContent => ({
  status,
  title: stop.title,
  body: html`<h1>${stop.title}</h1><div class="alert" role="alert"><p>${stop.text}</p></div><p>${stop.advice}</p>${detailsOf(reader, technical)}${requestIdOf(reader)}`,
})
