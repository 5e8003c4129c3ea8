/** `waypost doctor …`. */
import type { Noun, Option, Word } from '../program/command.ts'

const user: Option = {
  value: 'USER',
  summary: 'user to sign in as; the password is prompted for, or read from DOCTOR_PASSWORD or standard input',
}
const seconds: Option = { value: 'N', summary: 'time limit in seconds', atLeast: 1, usual: '30' }
const credentials = {
  user,
  'password-stdin': { summary: 'read the password from the first line of standard input' },
  seconds,
} satisfies Record<string, Option>
const mailOptions = {
  ...credentials,
  port: { value: 'N', summary: 'port, if it is not the default', atLeast: 1 },
} satisfies Record<string, Option>
const host: Word = {
  name: 'HOST',
  summary: 'host, or a mail address at a well-known service, which is then the user',
}
const place: Word = {
  name: 'URL',
  summary: 'URL (https://…), or a mail address whose domain names the server, which is then the user',
}

const more =
  'It connects like an account, changes nothing there, and needs no store. Without a user, it shows what is visible ' +
  'without a login. The exit code is 0 if an account can be connected, otherwise 1.'
const json =
  'an array of findings: [{"check": "tls", "state": "ok" | "warning" | "problem", "message": "…", "remedy": "…"}]'
const dav = () => import('../doctor/dav.ts')

export const doctor: Noun = {
  summary: 'Check the installation, or servers of accounts',
  own: {
    summary: "Check settings, store, clock, egress and the service's own mail server, and explain how to fix problems",
    more: 'Nothing is changed and no mail is sent. The exit code is 1 if something does not work, otherwise 0.',
    examples: { 'waypost doctor': 'with the settings of the service in the environment' },
    json: 'an array of findings: [{"check": "store", "state": "ok" | "warning" | "problem", "message": "…", "remedy": "…"}]',
    plain: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  },
  verbs: {
    imap: {
      summary: 'Check an IMAP server, and explain how Waypost will use it',
      more,
      words: [host],
      options: mailOptions,
      examples: {
        'waypost doctor imap imap.example.com': 'what the server shows without a login',
        'waypost doctor imap imap.example.com --user me@example.com': 'with a login and its folders',
      },
      json,
      plain: async () => (await import('../doctor/imap.ts')).doctorImap,
    },
    smtp: {
      summary: 'Check an SMTP submission server; nothing is sent',
      more,
      words: [host],
      options: mailOptions,
      examples: { 'waypost doctor smtp smtp.example.com --user me@example.com --port 465': 'with implicit TLS' },
      json,
      plain: async () => (await import('../doctor/smtp.ts')).doctorSmtp,
    },
    caldav: {
      summary: 'Find the calendars of an account on a CalDAV server, and check what it supports',
      more,
      words: [place],
      options: credentials,
      examples: {
        'waypost doctor caldav https://cloud.example.com --user me': 'at this URL or below it',
        'waypost doctor caldav me@example.com': 'discovered from the domain',
      },
      json,
      plain: async () => (await dav()).doctorCaldav,
    },
    carddav: {
      summary: 'Find the contacts of an account on a CardDAV server, and check what it supports',
      more,
      words: [place],
      options: credentials,
      examples: { 'waypost doctor carddav https://cloud.example.com --user me': 'at this URL or below it' },
      json,
      plain: async () => (await dav()).doctorCarddav,
    },
  },
}
