/** The sign-in form for applications without a client at Yahoo: asks for an app password. */
import { invalidField } from '@waypost/platform/api-error'
import { type CredentialForm, type FormShape, passwordField } from '../form.ts'
import { adviceFor } from '../mail/vendor-advice.ts'
import { vendors } from '../mail/vendors.ts'

const shape: FormShape = {
  advice: adviceFor(vendors.yahoo),
  sections: [{ fields: [passwordField('form.app_password', { hint: 'form.letters_hint' })] }],
}

export const form: CredentialForm = {
  title: 'Yahoo',
  vendors: [],
  shapeFor: () => shape,
  settingsOf(email, { password = '' }) {
    // Yahoo shows the password in groups with spaces between them.
    const written = password.replaceAll(/\s/g, '')
    if (written === '') throw invalidField('settings.password', 'is missing')
    return { username: email, password: written }
  },
  // The user name is the address itself.
  fixed: [],
  proof: { settings: [], fields: ['password'] },
}
