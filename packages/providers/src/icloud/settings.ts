/** Operator settings for iCloud: other servers instead of Apple's, for tests and for networks that use a relay. */
import { defineProviderSettings } from '../provider-settings.ts'
import { serversIn, serverVariables } from '../server-urls.ts'

export const icloudSettings = defineProviderSettings({
  kind: 'icloud',
  variables: serverVariables('ICLOUD', ['imap', 'smtp', 'caldav', 'carddav']),
  setup: (values) => ({ servers: serversIn('ICLOUD', values) }),
})
