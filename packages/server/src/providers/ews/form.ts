/** What users are asked for to sign in to a mailbox at Exchange. */
import { invalidField } from '../../lib/api-error.ts'
import type { CredentialForm, FormShape } from '../form.ts'

const shapeFor = (email: string): FormShape => ({
  advice: {
    text: 'For mailboxes at an Exchange server of your organization. Mailboxes at Microsoft 365 are connected with Microsoft.',
  },
  sections: [
    {
      fields: [
        {
          name: 'ews_username',
          label: 'User name',
          kind: 'text',
          value: email,
          autocomplete: 'username',
          hint: 'Your address, or as you sign in at work, such as COMPANY\\ada.',
        },
        {
          name: 'ews_password',
          label: 'Password',
          kind: 'password',
          autocomplete: 'current-password',
          required: true,
        },
      ],
    },
    {
      title: 'Server',
      note: 'Found by itself in most organizations. Your administrator knows its name.',
      folded: true,
      fields: [
        { name: 'ews_host', label: 'Server', kind: 'text', hint: 'Such as mail.example.com.' },
        { name: 'ews_port', label: 'Port', kind: 'port', value: '443' },
      ],
    },
  ],
})

/** What users write as their server: its name, or the address that their browser shows them. */
function serverIn(written: string): { ews_host: string; ews_port?: string } | undefined {
  if (!/^https?:\/\//i.test(written)) return written === '' ? undefined : { ews_host: written.replace(/\/+$/, '') }
  const url = URL.parse(written)
  if (!url?.hostname) throw invalidField('settings.ews_host', 'must be the name of a server, such as mail.example.com')
  return { ews_host: url.hostname, ...(url.port === '' ? {} : { ews_port: url.port }) }
}

export const form: CredentialForm = {
  title: 'Exchange',
  vendors: [],
  shapeFor: ({ email }) => shapeFor(email),
  settingsOf(email, { ews_username = '', ews_password = '', ews_host = '', ews_port = '' }) {
    if (ews_password === '') throw invalidField('settings.ews_password', 'is missing')
    const server = serverIn(ews_host.trim())
    const port = ews_port.trim()
    return {
      email,
      ews_username: ews_username.trim() || email,
      ews_password,
      ...(server && port !== '' ? { ews_port: port } : {}),
      ...server,
    }
  },
  // Otherwise anybody could put a server of their own under somebody's address; whose mailbox it is, the server says.
  fixed: ['ews_host', 'ews_port'],
}
