/** The sign-in form for Exchange mailboxes. */
import { invalidField } from '@waypost/platform/api-error'
import type { CredentialForm, FormFacts, FormShape } from '../form.ts'
import { insteadFor } from '../mail/vendor-advice.ts'

const shapeFor = (facts: FormFacts): FormShape => ({
  advice: { kind: 'own_exchange', cloud: 'microsoft' },
  instead: insteadFor(facts),
  sections: [
    {
      fields: [
        {
          name: 'ews_username',
          label: 'form.user_name',
          kind: 'text',
          value: facts.email,
          autocomplete: 'username',
          hint: 'form.work_user_hint',
        },
        {
          name: 'ews_password',
          label: 'form.password',
          kind: 'password',
          autocomplete: 'current-password',
          required: true,
        },
      ],
    },
    {
      title: 'form.server',
      note: 'form.work_server_note',
      folded: true,
      fields: [
        { name: 'ews_host', label: 'form.server', kind: 'text', hint: 'form.work_server_hint' },
        { name: 'ews_port', label: 'form.port', kind: 'port', value: '443' },
      ],
    },
  ],
})

/** The server that a user enters: its name, or the URL from the browser. */
function serverIn(written: string): { ews_host: string; ews_port?: string } | undefined {
  if (!/^https?:\/\//i.test(written)) return written === '' ? undefined : { ews_host: written.replace(/\/+$/, '') }
  const url = URL.parse(written)
  if (!url?.hostname) throw invalidField('settings.ews_host', 'must be the name of a server, such as mail.example.com')
  return { ews_host: url.hostname, ...(url.port === '' ? {} : { ews_port: url.port }) }
}

export const form: CredentialForm = {
  title: 'Exchange',
  vendors: [],
  shapeFor,
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
  // Otherwise anyone could connect a server of their own under another person's address: the server says whose
  // mailbox it is.
  fixed: ['ews_host', 'ews_port'],
  proof: { settings: ['ews_host', 'ews_port'], fields: ['ews_username', 'ews_password'] },
}
