/**
 * English, the source of all translations. Texts are whole sentences, so that each language can use its own word
 * order.
 */
import type { FormKey } from '@waypost/providers/form'
import { accountEn } from './account/en.ts'
import { consentEn } from './consent/en.ts'

export const en = {
  ...accountEn,
  ...consentEn,
  // Every page
  error_title: 'Error: {title}',
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  language: 'Language',
  cancel: 'Cancel and go back to {application}',
  choose_another: 'Choose another provider',
  use_another_address: 'Use another address',
  continue: 'Continue',
  technical: 'Technical details',
  request_id: 'Request ID:',

  // Choosing a provider
  'choice.title': 'Connect your account to {application}',
  'choice.where': 'Where is your account?',
  'choice.address_first': 'Start with your e-mail address.',
  'choice.or': 'or',
  'choice.all': 'View all providers',
  'choice.continue_with': 'Continue with {provider}',
  'choice.other_mail': 'Another mail account',

  // The address
  'address.title': 'Connect your {provider} account',
  'address.title_mail': 'Connect your mail account',
  'address.question': 'What is the address of your account?',
  'address.label': 'E-mail address',
  'address.wrong': 'This is not an e-mail address.',
  'address.example': 'Enter an address such as name@example.org.',
  'address.unknown': 'We could not tell where this account is. Choose it below.',

  // The password
  'sign_in.title': 'Sign in to your account',
  'sign_in.button': 'Sign in',
  'sign_in.promise': 'We use your password only to connect your account to {application}, and we store it encrypted.',
  'sign_in.more': 'More settings',

  // Proving who owns an account
  'proof.title': 'Sign in with the account that is connected to {application}',
  'proof.promise': 'We use your password only to check that the account is yours. We do not store it.',

  // Advice before the sign-in
  'advice.password':
    '{provider} requires a separate password for other apps, called “{password}”. Your usual password does not work here.',
  'advice.two_step': 'To create one, turn on two-step verification in your account first.',
  'advice.password_link': 'Create this password at {provider}',
  'advice.mail_programs': 'Allow other mail apps at {provider} before you sign in.',
  'advice.mail_programs_link': 'How to allow mail apps at {provider}',
  'advice.own_exchange': 'For mailboxes on an Exchange server that your organization runs itself.',
  'advice.cloud_exchange': 'Do you use Microsoft 365?',

  // The provider's own page instead of a password
  'instead.none': '{provider} no longer accepts passwords from other apps.',
  'instead.there': 'Sign in on {provider}’s own page instead. {application} never sees your password.',
  'instead.ask':
    '{application} cannot connect {provider} accounts yet. Please ask the people who run {application} to set up sign-in with {provider}.',
  'instead.not_there': 'My mailbox is not at {provider}',
  'instead.easier': 'Signing in on {provider}’s own page is easier. You do not need a separate password there.',
  'instead.or_password': 'Or sign in with a separate password:',

  // Fields
  'form.password': 'Password',
  'form.app_password': 'App password',
  'form.app_specific_password': 'App-specific password',
  'form.application_specific_password': 'Application-specific password',
  'form.external_password': 'Password for external applications',
  'form.authorization_code': 'Authorization code',
  'form.secure_mail_key': 'Secure mail key',
  'form.letters_hint': 'Sixteen letters. Spaces do not matter.',
  'form.apple_password_hint': 'Four groups of four letters, such as abcd-efgh-ijkl-mnop.',
  'form.apple_account': 'Apple Account',
  'form.apple_account_note': 'Only if you sign in to Apple with a different address.',
  'form.apple_account_address': 'Address of your Apple Account',
  'form.user_name': 'User name',
  'form.work_user_hint': 'Your address, or the name you sign in with at work, such as COMPANY\\ada.',
  'form.server': 'Server',
  'form.work_server_note': 'We usually find it automatically. Your administrator knows its name.',
  'form.work_server_hint': 'Such as mail.example.com.',
  'form.port': 'Port',
  'form.servers_unknown':
    'We do not know the servers of this address. Your provider’s help pages name them, usually under “IMAP and SMTP”.',
  'form.servers_foreign':
    'Your domain names these servers, but they are outside that domain. Continue only if they belong to your mail provider.',
  'form.incoming': 'Receiving mail',
  'form.incoming_server': 'Server for incoming mail',
  'form.incoming_server_hint': 'Also called IMAP server, such as imap.example.com.',
  'form.incoming_port': 'Port for incoming mail',
  'form.incoming_user': 'User name for incoming mail',
  'form.outgoing': 'Sending mail',
  'form.outgoing_note': 'Leave the server empty if you do not send mail from this account.',
  'form.outgoing_server': 'Server for outgoing mail',
  'form.outgoing_server_hint': 'Also called SMTP server, such as smtp.example.com.',
  'form.outgoing_port': 'Port for outgoing mail',
  'form.outgoing_user': 'User name for outgoing mail',
  'form.outgoing_password': 'Password for outgoing mail',
  'form.user_names': 'Other user names',
  'form.user_names_note': 'Only if they differ from your address and the password above.',
  'form.calendars_contacts': 'Calendars and contacts',
  'form.calendars_contacts_note':
    'We find those of well-known providers automatically. Enter “auto” to let us look for others.',
  'form.calendars_address': 'Calendar server address',
  'form.contacts_address': 'Contacts server address',
  'form.address_example': 'Such as https://cloud.example.org.',
  'form.dav_user': 'User name for calendars and contacts',
  'form.dav_password': 'Password for calendars and contacts',
  'form.if_other': 'Only if it is different.',

  // Problems with a field
  'field.required': 'Please fill in this field.',
  'field.required_to_send': 'Please fill in this field. {application} needs it to send mail for you.',
  'field.port': 'Enter a whole number from 1 to 65535.',
  'field.web_address': 'Enter an address that starts with https://.',
  'field.check': 'Please check this field.',

  // Problems and what to do
  'problem.fields': 'Some fields are missing or incorrect.',
  'problem.fields_advice': 'Please check the marked fields.',
  'problem.password': 'The password was not accepted.',
  'problem.password_advice': 'Check the address and the password for typos, and try again.',
  'problem.app_password_advice':
    'Use the password that {provider} created for other apps (“{password}”), not your usual password.',
  'problem.work_user_advice':
    'Check the user name and the password. Many organizations use a name such as COMPANY\\ada instead of the address.',
  'problem.unreachable': 'We could not reach your provider.',
  'problem.unreachable_advice': 'Wait a few minutes and try again. If that does not help, check the servers below.',
  'problem.later_advice': 'Wait a few minutes and try again.',
  'problem.server_name': 'We could not find this server.',
  'problem.server_name_advice': 'Check its name for typos, or ask your provider.',
  'problem.server_refused': 'We cannot use this server.',
  'problem.server_refused_advice': 'Check the name and the port, or ask your provider.',
  'problem.not_secure': 'We could not make a secure connection to your provider.',
  'problem.not_mail': 'This server does not offer the service we need.',
  'problem.method': 'Your provider does not accept passwords from other apps.',
  'problem.method_advice': 'Ask your provider how to connect other apps.',
  'problem.busy': 'Your provider is busy.',
  'problem.locked': 'Your account is locked at the moment.',
  'problem.locked_advice': 'Wait a while, or ask your administrator to unlock it.',
  'problem.disabled': 'Your account does not allow this access.',
  'problem.disabled_advice': 'Ask your administrator to allow it.',
  'problem.expired': 'Your password has expired.',
  'problem.expired_advice': 'Change it where you usually sign in, and then come back.',
  'problem.server_unknown': 'We could not find the server of your organization.',
  'problem.server_unknown_advice': 'Enter its name below. Your administrator knows it.',
  'problem.mailbox': 'We could not find your mailbox at this address.',
  'problem.mailbox_advice': 'Check the address and the user name, or ask your administrator.',
  'problem.calendars': 'We could not open your calendars or contacts.',
  'problem.calendars_advice': 'Check their addresses, the user name and the password below.',
  'problem.apple_account': 'Apple gave us access to your mail, but not to your calendars and contacts.',
  'problem.apple_account_advice': 'Enter the main address of your Apple Account below.',
  'problem.attempts': 'Too many attempts.',
  'problem.attempts_advice': 'Please wait a minute, then try again.',
  'problem.ours': 'Something went wrong on our side.',
  'problem.ours_advice': 'Please try again in a moment.',

  // The sign-in cannot continue
  'stop.title': 'The sign-in cannot continue',
  'stop.again': 'Go back to {application} and start again.',
  'stop.again_somewhere': 'Go back to the application you came from and start again.',
  'stop.ended': 'This sign-in has expired, was already completed, or was started in another browser.',
  'stop.link': 'The link that brought you here is not set up correctly.',
  'stop.link_advice': 'Please tell the people who run the application you came from.',
  'stop.blocked': '{application} is blocked at the moment.',
  'stop.blocked_advice': 'Please contact the people who run it.',
  'stop.missing_title': 'Page not found',
  'stop.missing': 'There is nothing at this address.',
  'stop.way': 'This page cannot be opened directly.',
  'stop.busy_title': 'Please wait a moment',
  'stop.ours_title': 'Something went wrong',

  // Redirecting
  'leaving.to': 'Taking you to {provider}',
  'leaving.back': 'Taking you back to {application}',
  'leaving.link': 'Continue here if nothing happens',
} as const satisfies Record<string, string> & Record<FormKey, string>
