/** The operator's settings for Google. */
import { baseAddress, text } from '@waypost/platform/settings/values'
import { defineProviderSettings } from '../provider-settings.ts'
import { fullScope, identityScope } from './scopes.ts'

export const googleSettings = defineProviderSettings({
  kind: 'google',
  variables: {
    WAYPOST_GOOGLE_URL: baseAddress().describe(
      'One address in place of all hosts of Google, such as a simulator. `npm run dev` sets it.',
    ),
    WAYPOST_GOOGLE_CLIENT_ID: text('the id of an OAuth client', '…').describe(
      "The OAuth client of the sandbox application's connector, read at the first start.",
    ),
    WAYPOST_GOOGLE_CLIENT_SECRET: text('the secret of an OAuth client', '…', 'secret').describe('Its secret.'),
  },
  sandboxScope: [...identityScope, ...['gmail.modify', 'gmail.send', 'calendar', 'contacts'].map(fullScope)],
  setup: (values) => ({
    url: values.WAYPOST_GOOGLE_URL,
    sandboxClient: {
      settings: { ...(values.WAYPOST_GOOGLE_CLIENT_ID ? { client_id: values.WAYPOST_GOOGLE_CLIENT_ID } : {}) },
      clientSecret: values.WAYPOST_GOOGLE_CLIENT_SECRET,
    },
  }),
})
