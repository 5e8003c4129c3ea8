/** `waypost doctor …`. */
import type { Noun, Option, Word } from '../program/command.ts'

const user: Option = {
  value: 'USER',
  summary: 'the user to sign in as; the password is asked for, or read from DOCTOR_PASSWORD or from standard input',
}
const seconds: Option = { value: 'N', summary: 'how long to look, in seconds', atLeast: 1, usual: '30' }
const credentials = {
  user,
  'password-stdin': { summary: 'read the password from standard input: its first line' },
  seconds,
} satisfies Record<string, Option>
const mailOptions = {
  ...credentials,
  port: { value: 'N', summary: 'the port, where it is not the usual one', atLeast: 1 },
} satisfies Record<string, Option>
const host: Word = {
  name: 'HOST',
  summary: 'the host, or a mail address at a well-known service, which is the user then',
}
const place: Word = {
  name: 'URL',
  summary: 'the address (https://…), or a mail address whose domain says where the server is, which is the user then',
}

const more =
  'It connects as an account would, changes nothing there, and needs no store. Without a user it tells what can be seen ' +
  'without one. The exit code is 0 where an account can be connected, and 1 where it cannot.'
const json =
  'an array of findings: [{"check": "tls", "state": "ok" | "warning" | "problem", "message": "…", "remedy": "…"}]'
const dav = () => import('../doctor/dav.ts')

export const doctor: Noun = {
  summary: 'Check the installation, and servers that accounts are to be connected to',
  own: {
    summary:
      "Check settings, store, clock, egress and the service's own mail server, and say how to mend what is wrong",
    more: 'Nothing is changed and no mail is sent. The exit code is 1 where something does not work, 0 otherwise.',
    examples: [{ line: 'waypost doctor', what: 'with the settings of the service in the environment' }],
    json: 'an array of findings: [{"check": "store", "state": "ok" | "warning" | "problem", "message": "…", "remedy": "…"}]',
    plain: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  },
  verbs: {
    imap: {
      summary: 'Look at an IMAP server, and say what Waypost will do with it, what it will not, and why',
      more,
      words: [host],
      options: mailOptions,
      examples: [
        { line: 'waypost doctor imap imap.example.com', what: 'what the server tells strangers' },
        { line: 'waypost doctor imap imap.example.com --user me@example.com', what: 'with a login and its folders' },
      ],
      json,
      plain: async () => (await import('../doctor/imap.ts')).doctorImap,
    },
    smtp: {
      summary: 'Look at an SMTP server that takes mail of its users; nothing is sent',
      more,
      words: [host],
      options: mailOptions,
      examples: [
        { line: 'waypost doctor smtp smtp.example.com --user me@example.com --port 465', what: 'with TLS at once' },
      ],
      json,
      plain: async () => (await import('../doctor/smtp.ts')).doctorSmtp,
    },
    caldav: {
      summary: 'Look for the calendars of an account at a CalDAV server, and say what can be done with them',
      more,
      words: [place],
      options: credentials,
      examples: [
        { line: 'waypost doctor caldav https://cloud.example.com --user me', what: 'at an address, or below it' },
        { line: 'waypost doctor caldav me@example.com', what: 'where the domain says' },
      ],
      json,
      plain: async () => (await dav()).doctorCaldav,
    },
    carddav: {
      summary: 'The same for the contacts of an account at a CardDAV server',
      more,
      words: [place],
      options: credentials,
      examples: [
        { line: 'waypost doctor carddav https://cloud.example.com --user me', what: 'at an address, or below it' },
      ],
      json,
      plain: async () => (await dav()).doctorCarddav,
    },
  },
}
