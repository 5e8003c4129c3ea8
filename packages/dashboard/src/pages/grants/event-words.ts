import type { ApplicationOverview } from '@waypost/sdk'

/** What happens with a grant, in words. */
export const eventWords: Record<ApplicationOverview['recent'][number]['kind'], string> = {
  created: 'Connected',
  authenticated: 'Authenticated again',
  changed: 'Given other credentials or scopes',
  expired: 'Lost its access',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
}
