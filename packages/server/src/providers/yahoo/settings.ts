/** What an operator sets for Yahoo. */
import { baseAddress, text } from '../../lib/settings/values.ts'
import { defineProviderSettings } from '../provider-settings.ts'
import { serversIn, serverVariables } from '../server-urls.ts'

export const yahooSettings = defineProviderSettings({
  kind: 'yahoo',
  variables: {
    WAYPOST_YAHOO_URL: baseAddress(),
    ...serverVariables('YAHOO', ['imap', 'smtp', 'caldav', 'carddav']),
    WAYPOST_YAHOO_CLIENT_ID: text('the id of an OAuth client', '…'),
    WAYPOST_YAHOO_CLIENT_SECRET: text('the secret of an OAuth client', '…', 'secret'),
  },
  sandboxScope: ['openid', 'email', 'profile', 'mail-r', 'mail-w'],
  setup: (values) => ({
    url: values.WAYPOST_YAHOO_URL,
    servers: serversIn('YAHOO', values),
    // Few have a client at Yahoo: the sandbox has a connector where there is one.
    sandboxClient: values.WAYPOST_YAHOO_CLIENT_ID
      ? {
          settings: { client_id: values.WAYPOST_YAHOO_CLIENT_ID },
          clientSecret: values.WAYPOST_YAHOO_CLIENT_SECRET,
        }
      : undefined,
  }),
})
