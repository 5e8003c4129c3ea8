/** What an operator sets for Microsoft. */
import { z } from 'zod'
import { baseAddress, said, text } from '../../lib/settings/values.ts'
import { defineProviderSettings } from '../provider-settings.ts'
import { defaultScope } from './scopes.ts'

export const microsoftSettings = defineProviderSettings({
  kind: 'microsoft',
  variables: {
    WAYPOST_MICROSOFT_URL: baseAddress(),
    WAYPOST_MICROSOFT_CLIENT_ID: text('the id of an OAuth client', '…'),
    WAYPOST_MICROSOFT_CLIENT_SECRET: text('the secret of an OAuth client', '…', 'secret'),
    WAYPOST_MICROSOFT_TENANT: said(
      z.string().trim().min(1).default('common'),
      'common, or the id of a tenant',
      'common',
    ),
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
