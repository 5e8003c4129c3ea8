import { usePage } from '../page.ts'

/** The cancellation policy of the configuration. */
export const Policy = () => {
  const { settings, t } = usePage()
  const policy = settings.scheduler.cancellation_policy
  if (!policy) return null
  return (
    <div class="policy">
      <p class="policy-title">{t('cancellation_policy')}</p>
      <p>{policy}</p>
    </div>
  )
}
