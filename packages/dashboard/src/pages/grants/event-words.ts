import type { ApplicationOverview, ExpiryReason } from '@waypost/sdk'

/** Labels of grant events. */
export const eventWords: Record<ApplicationOverview['recent'][number]['kind'], string> = {
  created: 'Connected',
  authenticated: 'Authenticated again',
  changed: 'Credentials or scopes changed',
  expired: 'Lost access',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
}

/** Reasons why a grant lost access. */
export const reasons: Record<ExpiryReason, string> = {
  credentials_refused: 'The provider rejected its password or token',
  revoked: 'Revoked by an administrator',
  connector_deleted: 'Connector deleted',
  credential_deleted: 'Its credential was deleted',
}
