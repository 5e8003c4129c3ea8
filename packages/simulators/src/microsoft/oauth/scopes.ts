// Scopes by short name: `https://graph.microsoft.com/mail.read` is `Mail.Read`.

const graph = 'https://graph.microsoft.com/'
/** Sign-in scopes, which are not permissions of Graph. */
const signIn = ['openid', 'profile', 'email', 'offline_access']

/** The descriptions of permissions on the consent page. https://learn.microsoft.com/graph/permissions-reference */
const titles: Readonly<Record<string, string>> = {
  'User.Read': 'Sign you in and read your profile',
  'User.ReadWrite': 'Read and update your profile',
  'User.ReadBasic.All': "Read all users' basic profiles",
  'User.Read.All': "Read all users' full profiles",
  'User.RevokeSessions.All': 'Revoke all sign in sessions for a user',
  'Directory.Read.All': 'Read directory data',
  'Mail.Read': 'Read your mail',
  'Mail.ReadBasic': 'Read your basic mail',
  'Mail.ReadWrite': 'Read and write access to your mail',
  'Mail.Send': 'Send mail as you',
  'Mail.Read.Shared': 'Read mail you can access',
  'Mail.ReadBasic.Shared': 'Read basic mail you can access',
  'Mail.ReadWrite.Shared': 'Read and write mail you can access',
  'Mail.Send.Shared': 'Send mail on behalf of others or yourself',
  'MailboxSettings.Read': 'Read your mailbox settings',
  'MailboxSettings.ReadWrite': 'Read and write to your mailbox settings',
  'Calendars.Read': 'Read your calendars',
  'Calendars.ReadBasic': 'Read basic details of your calendars',
  'Calendars.ReadWrite': 'Have full access to your calendars',
  'Calendars.Read.Shared': 'Read calendars you can access',
  'Calendars.ReadWrite.Shared': 'Read and write calendars you can access',
  'Contacts.Read': 'Read your contacts',
  'Contacts.ReadWrite': 'Have full access of your contacts',
  'Contacts.Read.Shared': 'Read your and shared contacts',
  'Contacts.ReadWrite.Shared': 'Read and write to your and shared contacts',
  'People.Read': 'Read your relevant people list',
  'People.Read.All': "Read all users' relevant people lists",
  'OnlineMeetings.ReadWrite': 'Read and create your online meetings',
  'Place.Read.All': 'Read all company places',
}

/** Permissions that only an administrator may grant. */
const adminOnly = [
  'User.Read.All',
  'User.RevokeSessions.All',
  'Directory.Read.All',
  'People.Read.All',
  'Place.Read.All',
]

export function shortScope(scope: string): string {
  const bare = scope.toLowerCase().startsWith(graph) ? scope.slice(graph.length) : scope
  const known = [...signIn, ...Object.keys(titles)]
  return known.find((name) => name.toLowerCase() === bare.toLowerCase()) ?? bare
}

/** The distinct scopes of a `scope` parameter. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean).map(shortScope))]
}

/** The full name, as in tokens of organizations. */
export function wholeScope(scope: string): string {
  return isSignInScope(scope) ? scope : graph + scope
}

export function isSignInScope(scope: string): boolean {
  return signIn.includes(scope)
}

/** Whether the scope exists; `.default` means all scopes that the application is registered with. */
export function isKnownScope(scope: string): boolean {
  return isSignInScope(scope) || scope in titles || scope === '.default'
}

export function needsAdministrator(scope: string): boolean {
  return adminOnly.includes(scope)
}

export function describeScope(scope: string): string {
  return titles[scope] ?? scope
}
