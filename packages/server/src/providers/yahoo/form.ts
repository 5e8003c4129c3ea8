/** What users are asked for where the application has no client at Yahoo: an app password. */
import { invalidField } from '../../lib/api-error.ts'
import type { CredentialForm, FormShape } from '../form.ts'
import { vendors } from '../mail/vendors.ts'

const shape: FormShape = {
  advice: {
    text: 'Yahoo lets other applications in with an app password, not with your usual password. You can make one under Account security.',
    link: { url: vendors.yahoo?.password?.url ?? '', label: 'Make an app password at Yahoo' },
  },
  sections: [
    {
      fields: [
        {
          name: 'password',
          label: 'App password',
          kind: 'password',
          autocomplete: 'current-password',
          hint: 'Sixteen letters, without spaces.',
          required: true,
        },
      ],
    },
  ],
}

export const form: CredentialForm = {
  title: 'Continue with Yahoo',
  vendors: [],
  shapeFor: () => shape,
  settingsOf(email, { password = '' }) {
    // It is shown in groups, with blanks between them.
    const written = password.replaceAll(/\s/g, '')
    if (written === '') throw invalidField('settings.password', 'is missing')
    return { username: email, password: written }
  },
  // The user name is the address itself.
  fixed: [],
}
