/** Operator settings for Yahoo. */
import { baseAddress, text } from '@waypost/platform/settings/values'
import { defineProviderSettings } from '../provider-settings.ts'
import { serversIn, serverVariables } from '../server-urls.ts'

export const yahooSettings = defineProviderSettings({
  kind: 'yahoo',
  variables: {
    WAYPOST_YAHOO_URL: baseAddress('http://127.0.0.1:3300').describe(
      'An address in place of api.login.yahoo.com, such as a simulator. Its tokens are sent only to the servers named below. `npm run dev` sets it.',
    ),
    ...serverVariables('YAHOO', ['imap', 'smtp', 'caldav', 'carddav']),
    WAYPOST_YAHOO_CLIENT_ID: text('the id of an OAuth client', '…').describe(
      "The OAuth client of the sandbox application's connector, read at the first start. Without it, the sandbox has no connector for Yahoo.",
    ),
    WAYPOST_YAHOO_CLIENT_SECRET: text('the secret of an OAuth client', '…', 'secret').describe('Its secret.'),
  },
  sandboxScope: ['openid', 'email', 'profile', 'mail-r', 'mail-w'],
  setup: (values) => ({
    url: values.WAYPOST_YAHOO_URL,
    servers: serversIn('YAHOO', values),
    // Few operators have a client at Yahoo, so the sandbox has a connector only if one is set.
    sandboxClient: values.WAYPOST_YAHOO_CLIENT_ID
      ? {
          settings: { client_id: values.WAYPOST_YAHOO_CLIENT_ID },
          clientSecret: values.WAYPOST_YAHOO_CLIENT_SECRET,
        }
      : undefined,
  }),
})
