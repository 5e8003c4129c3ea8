/** What an operator sets for iCloud: servers in place of Apple's, for tests and for networks that reach them through others. */
import { defineProviderSettings } from '../provider-settings.ts'
import { serversIn, serverVariables } from '../server-urls.ts'

export const icloudSettings = defineProviderSettings({
  kind: 'icloud',
  variables: serverVariables('ICLOUD', ['imap', 'smtp', 'caldav', 'carddav']),
  setup: (values) => ({ servers: serversIn('ICLOUD', values) }),
})
