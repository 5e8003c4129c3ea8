import type { ApplicationOverview } from '@waypost/sdk'

/** What happens with a grant, in words. */
export const eventWords: Record<ApplicationOverview['recent'][number]['kind'], string> = {
  created: 'Connected',
  authenticated: 'Authenticated again',
  changed: 'Credentials or scopes changed',
  expired: 'Lost access',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
}
