import type { ApplicationOverview } from '@waypost/sdk'

/** Labels of grant events. */
export const eventWords: Record<ApplicationOverview['recent'][number]['kind'], string> = {
  created: 'Connected',
  authenticated: 'Authenticated again',
  changed: 'Credentials or scopes changed',
  expired: 'Lost access',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
}
