// Scopes by full name. `email` and `profile` are short names for two of them.

const prefix = 'https://www.googleapis.com/auth/'
const short: Readonly<Record<string, string>> = {
  openid: 'openid',
  email: `${prefix}userinfo.email`,
  profile: `${prefix}userinfo.profile`,
}

/** The full name of a scope. */
export function expandScope(scope: string): string {
  return short[scope] ?? (scope.includes('://') ? scope : prefix + scope)
}

/** The distinct scopes of a `scope` parameter. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean).map(expandScope))]
}

const titles: Readonly<Record<string, string>> = {
  'https://mail.google.com/': 'Read, compose, send, and permanently delete all your email from Gmail',
  [`${prefix}gmail.modify`]: 'Read, compose, and send emails from your Gmail account',
  [`${prefix}gmail.readonly`]: 'View your email messages and settings',
  [`${prefix}gmail.send`]: 'Send email on your behalf',
  [`${prefix}gmail.compose`]: 'Manage drafts and send emails',
  [`${prefix}gmail.labels`]: 'See and edit your email labels',
  [`${prefix}gmail.metadata`]: 'View your email message metadata such as labels and headers, but not the email body',
  [`${prefix}calendar`]:
    'See, edit, share, and permanently delete all the calendars you can access using Google Calendar',
  [`${prefix}calendar.events`]: 'View and edit events on all your calendars',
  [`${prefix}calendar.readonly`]: 'See and download any calendar you can access using your Google Calendar',
  [`${prefix}contacts`]: 'See, edit, download, and permanently delete your contacts',
  [`${prefix}contacts.readonly`]: 'See and download your contacts',
  [`${prefix}contacts.other.readonly`]: 'See and download contact info automatically saved in your "Other contacts"',
  [`${prefix}admin.directory.resource.calendar.readonly`]: 'View calendar resources on your domain',
  [`${prefix}directory.readonly`]: "See and download your organization's Google Workspace directory",
}

/** The description of a scope on the consent page. */
export function describeScope(scope: string): string {
  return titles[scope] ?? scope
}

/** Sign-in scopes, which have no checkbox on the consent page. */
export function isSignInScope(scope: string): boolean {
  return Object.values(short).includes(scope)
}

/** Whether a password change ends refresh tokens that have this scope. */
export function isMailScope(scope: string): boolean {
  return scope === 'https://mail.google.com/' || scope.startsWith(`${prefix}gmail.`)
}
