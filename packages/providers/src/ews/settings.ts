/** The operator's setting for Exchange: one server that replaces all others, such as a simulator. */
import { baseAddress } from '@waypost/platform/settings/values'
import { defineProviderSettings } from '../provider-settings.ts'

export const ewsSettings = defineProviderSettings({
  kind: 'ews',
  variables: {
    WAYPOST_EWS_URL: baseAddress('http://127.0.0.1:3400').describe(
      'One address in place of every Exchange server and of Autodiscover, such as a simulator. `npm run dev` sets it.',
    ),
  },
  setup: (values) => ({ url: values.WAYPOST_EWS_URL }),
})
