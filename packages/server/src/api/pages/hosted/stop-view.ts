/** Pages that lead elsewhere, or nowhere. */
import { detailsOf, requestIdOf } from './frame.ts'
import { html } from './html.ts'
import type { PageContent } from './page.ts'
import type { Reader } from './reader.ts'
import type { Stop } from './stops.ts'

/** On the way elsewhere: a form must not lead away from us by itself, so that the browser goes on from here. */
export const leavingView = ({ t }: Reader, title: string, next: string): PageContent => ({
  title,
  next,
  body: html`<h1>${title}</h1><p><a href="${next}">${t('leaving.link')}</a></p>`,
})

/** What went wrong, where there is nobody to send the user back to. */
export const stopView = (reader: Reader, status: number, stop: Stop, technical: string): PageContent => ({
  status,
  title: stop.title,
  body: html`<h1>${stop.title}</h1><div class="alert" role="alert"><p>${stop.text}</p></div><p>${stop.advice}</p>${detailsOf(reader, technical)}${requestIdOf(reader)}`,
})
