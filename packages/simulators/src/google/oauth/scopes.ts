// Scopes by full name. `email` and `profile` are short names for two of them.

const PREFIX = 'https://www.googleapis.com/auth/'
const SHORT: Readonly<Record<string, string>> = {
  openid: 'openid',
  email: `${PREFIX}userinfo.email`,
  profile: `${PREFIX}userinfo.profile`,
}

/** The full name of a scope. */
export function expandScope(scope: string): string {
  return SHORT[scope] ?? (scope.includes('://') ? scope : PREFIX + scope)
}

/** The distinct scopes of a `scope` parameter. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean).map(expandScope))]
}

const TITLES: Readonly<Record<string, string>> = {
  'https://mail.google.com/': 'Read, compose, send, and permanently delete all your email from Gmail',
  [`${PREFIX}gmail.modify`]: 'Read, compose, and send emails from your Gmail account',
  [`${PREFIX}gmail.readonly`]: 'View your email messages and settings',
  [`${PREFIX}gmail.send`]: 'Send email on your behalf',
  [`${PREFIX}gmail.compose`]: 'Manage drafts and send emails',
  [`${PREFIX}gmail.labels`]: 'See and edit your email labels',
  [`${PREFIX}gmail.metadata`]: 'View your email message metadata such as labels and headers, but not the email body',
  [`${PREFIX}calendar`]:
    'See, edit, share, and permanently delete all the calendars you can access using Google Calendar',
  [`${PREFIX}calendar.events`]: 'View and edit events on all your calendars',
  [`${PREFIX}calendar.readonly`]: 'See and download any calendar you can access using your Google Calendar',
  [`${PREFIX}contacts`]: 'See, edit, download, and permanently delete your contacts',
  [`${PREFIX}contacts.readonly`]: 'See and download your contacts',
  [`${PREFIX}contacts.other.readonly`]: 'See and download contact info automatically saved in your "Other contacts"',
  [`${PREFIX}admin.directory.resource.calendar.readonly`]: 'View calendar resources on your domain',
  [`${PREFIX}directory.readonly`]: "See and download your organization's Google Workspace directory",
}

/** The description of a scope on the consent page. */
export function describeScope(scope: string): string {
  return TITLES[scope] ?? scope
}

/** Sign-in scopes, which have no checkbox on the consent page. */
export function isSignInScope(scope: string): boolean {
  return Object.values(SHORT).includes(scope)
}

/** Whether a password change ends refresh tokens that have this scope. */
export function isMailScope(scope: string): boolean {
  return scope === 'https://mail.google.com/' || scope.startsWith(`${PREFIX}gmail.`)
}
