/** The sign-in form of iCloud. */
import { invalidField } from '@waypost/platform/api-error'
import { type CredentialForm, type FormShape, passwordField } from '../form.ts'
import { adviceFor } from '../mail/vendor-advice.ts'
import { vendorOf } from '../mail/vendors.ts'

const shape: FormShape = {
  advice: adviceFor(vendorOf('icloud')),
  sections: [
    {
      fields: [passwordField('form.app_specific_password', { hint: 'form.apple_password_hint' })],
    },
    {
      title: 'form.apple_account',
      note: 'form.apple_account_note',
      folded: true,
      fields: [{ name: 'username', label: 'form.apple_account_address', kind: 'text' }],
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
    // Passwords copied from Apple's page may have spaces around them.
    const settings = { username: other || email, password: password.trim() }
    return other === '' ? settings : { ...settings, email }
  },
  // Otherwise anybody could register their own account under another person's address.
  fixed: ['username'],
  proof: { settings: ['username'], fields: ['password'] },
}
