/** What an operator sets for Exchange: one server in place of all, such as a simulator. */
import { baseAddress } from '../../lib/settings/values.ts'
import { defineProviderSettings } from '../provider-settings.ts'

export const ewsSettings = defineProviderSettings({
  kind: 'ews',
  variables: { WAYPOST_EWS_URL: baseAddress() },
  setup: (values) => ({ url: values.WAYPOST_EWS_URL }),
})
