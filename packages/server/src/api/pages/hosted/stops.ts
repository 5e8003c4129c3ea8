/** Texts for sign-ins that cannot continue, in the user's language, without parameter names and codes. */
import type { ApiError } from '@waypost/platform/api-error'
import type { Translate } from './languages.ts'

export interface Stop {
  title: string
  text: string
  /** What to do now. */
  advice: string
}

/** `application` is the name of the application, if it is known. */
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
