/** What users are asked for to sign in to iCloud. */
import { invalidField } from '../../lib/api-error.ts'
import type { CredentialForm, FormShape } from '../form.ts'
import { vendorOf } from '../mail/vendors.ts'

const url = vendorOf('icloud')?.password?.url ?? ''

const shape: FormShape = {
  advice: {
    text: 'iCloud lets other applications in with an app-specific password, not with your usual password. Apple makes one for you under Sign-In and Security, if two-factor authentication is on.',
    link: { url, label: 'Make an app-specific password at Apple' },
  },
  sections: [
    {
      fields: [
        {
          name: 'password',
          label: 'App-specific password',
          kind: 'password',
          autocomplete: 'current-password',
          hint: 'Four groups of four letters, such as abcd-efgh-ijkl-mnop.',
          required: true,
        },
      ],
    },
    {
      title: 'Apple Account',
      note: 'Only where you sign in to Apple with another address than the one above.',
      folded: true,
      fields: [{ name: 'username', label: 'Address of your Apple Account', kind: 'text' }],
    },
  ],
}

export const form: CredentialForm = {
  title: 'iCloud',
  vendors: [],
  shapeFor: () => shape,
  settingsOf(email, { password = '', username = '' }) {
    if (password === '') throw invalidField('settings.password', 'is missing')
    const other = username.trim()
    // Apple shows it with spaces around where it is copied from.
    const settings = { username: other || email, password: password.trim() }
    return other === '' ? settings : { ...settings, email }
  },
  // Otherwise anybody could put an account of their own under somebody's address.
  fixed: ['username'],
}
