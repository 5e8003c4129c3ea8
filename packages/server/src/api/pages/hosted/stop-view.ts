/** Pages that redirect, or end the sign-in. */
import type { ApiError } from '@waypost/platform/api-error'
import { detailsOf, requestIdOf } from './frame.ts'
import { html } from './html.ts'
import type { Translate } from './languages.ts'
import type { PageContent } from './page.ts'
import type { Reader } from './reader.ts'

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

export interface Stop {
  title: string
  text: string
  /** What to do now. */
  advice: string
}

/**
 * Texts for a sign-in that cannot continue, in the user's language, without parameter names and codes. `application` is the name of the application, if it is known.
 */
export function stopOf({ code, status }: ApiError, t: Translate, application: string | undefined): Stop {
  const again = application === undefined ? t('stop.again_somewhere') : t('stop.again', { application })
  if (code === 'login_id_invalid') return { title: t('stop.title'), text: t('stop.ended'), advice: again }
  if (code === 'resource_blocked' && application !== undefined) {
    return { title: t('stop.title'), text: t('stop.blocked', { application }), advice: t('stop.blocked_advice') }
  }
  if (status === 429) {
    return { title: t('stop.busy_title'), text: t('problem.attempts'), advice: t('problem.attempts_advice') }
  }
  if (status >= 500) return { title: t('stop.ours_title'), text: t('problem.ours'), advice: t('problem.ours_advice') }
  if (status === 404) return { title: t('stop.missing_title'), text: t('stop.missing'), advice: again }
  if (status === 405 || status === 413 || status === 414) {
    return { title: t('stop.title'), text: t('stop.way'), advice: again }
  }
  return { title: t('stop.title'), text: t('stop.link'), advice: t('stop.link_advice') }
}
