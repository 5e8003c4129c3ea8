/** The operator's settings for Microsoft. */

import { baseAddress, said, text } from '@waypost/platform/settings/values'
import { z } from 'zod'
import { defineProviderSettings } from '../provider-settings.ts'
import { defaultScope } from './scopes.ts'

export const microsoftSettings = defineProviderSettings({
  kind: 'microsoft',
  variables: {
    WAYPOST_MICROSOFT_URL: baseAddress('http://127.0.0.1:3200').describe(
      'One address in place of login.microsoftonline.com and graph.microsoft.com, such as a simulator. `npm run dev` sets it.',
    ),
    WAYPOST_MICROSOFT_CLIENT_ID: text('the id of an OAuth client', '…').describe(
      "The OAuth client of the sandbox application's connector, read at the first start.",
    ),
    WAYPOST_MICROSOFT_CLIENT_SECRET: text('the secret of an OAuth client', '…', 'secret').describe('Its secret.'),
    WAYPOST_MICROSOFT_TENANT: said(
      z.string().trim().min(1).default('common'),
      'common, or the id of a tenant',
      'common',
    ).describe('The tenant of that client.'),
  },
  sandboxScope: defaultScope,
  setup: (values) => ({
    url: values.WAYPOST_MICROSOFT_URL,
    sandboxClient: {
      settings: {
        ...(values.WAYPOST_MICROSOFT_CLIENT_ID ? { client_id: values.WAYPOST_MICROSOFT_CLIENT_ID } : {}),
        tenant: values.WAYPOST_MICROSOFT_TENANT,
      },
      clientSecret: values.WAYPOST_MICROSOFT_CLIENT_SECRET,
    },
  }),
})
