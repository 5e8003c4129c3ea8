/** The pages of account owners: agents and approvals. English is the source of the translations. */
export const accountEn = {
  'owner.failed_title': 'The sign-in did not succeed',
  'owner.failed':
    'You are not signed in, and nothing changed. Sign in with the account that is connected to {application}.',
  'owner.again': 'Try again',
} as const
