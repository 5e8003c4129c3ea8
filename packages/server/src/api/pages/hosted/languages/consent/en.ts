/** The page on which people decide about agents. English is the source of the translations. */
export const consentEn = {
  'consent.title': 'Connect {client} to {application}',
  'consent.unverified': 'Unverified: anybody can use this name. Continue only if you started this yourself.',
  'consent.verified': 'Published by {host}',
  'consent.returns_site': 'Afterwards you return to {place}.',
  'consent.returns_device': 'Afterwards you return to a program on this device ({place}).',
  'consent.returns_app': 'Afterwards you return to an app on this device ({place}).',
  'consent.sign_in_why':
    'Sign in with the account that is connected to {application}. Then you choose what {client} may do.',
  'consent.sign_in': 'Sign in to your account',
  'consent.cancel': 'Cancel',
  'consent.as_administrator': 'I administer {application}',
  'consent.administrator': 'You decide as an administrator ({name}).',
  'consent.administrator_sign_in': 'Sign in to the dashboard first. Then open this page again.',
  'consent.dashboard': 'Open the dashboard',
  'consent.need_rights':
    'You may not decide this: administrators need the right to change the application and to see customer data.',
  'consent.accounts': 'Which accounts?',
  'consent.search': 'Search accounts',
  'consent.no_accounts': 'No account was found.',
  'consent.rights': 'What may it do?',
  'consent.careful': '(be careful)',
  'consent.ask': 'Ask before it does this',
  'consent.ask_why': 'Somebody must approve each of these actions before it happens.',
  'consent.allow': 'Allow',
  'consent.deny': 'Deny',
  'consent.later': 'You can disconnect it at any time.',
  'consent.choose_account': 'Choose at least one account.',
  'consent.choose_right': 'Choose at least one right.',
  'consent.stop_title': 'The connection cannot be made',
  'consent.stop_advice':
    'Go back to the program that you came from and start again. If that does not help, tell the people who run it.',
  'consent.no_application':
    'This address does not say which application it is for, or the application does not allow agents. Ask the people who run the service for the address of your application.',
} as const
