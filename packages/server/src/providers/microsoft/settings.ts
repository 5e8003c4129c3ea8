/** What an operator sets for Microsoft, for the connector that the sandbox has from the start. */
import { z } from 'zod'
import { text } from '../../lib/setting-values.ts'
import { defineProviderSettings } from '../provider-settings.ts'

export const microsoftSettings = defineProviderSettings({
  kind: 'microsoft',
  variables: {
    WAYPOST_MICROSOFT_CLIENT_ID: text(),
    WAYPOST_MICROSOFT_CLIENT_SECRET: text(),
    WAYPOST_MICROSOFT_TENANT: z.string().trim().min(1).default('common'),
  },
  sandboxScope: [
    'openid',
    'email',
    'profile',
    'offline_access',
    'User.Read',
    'Mail.ReadWrite',
    'Mail.Send',
    'Calendars.ReadWrite',
    'Contacts.ReadWrite',
  ],
  setup: (values) => ({
    sandboxClient: {
      settings: {
        ...(values.WAYPOST_MICROSOFT_CLIENT_ID ? { client_id: values.WAYPOST_MICROSOFT_CLIENT_ID } : {}),
        tenant: values.WAYPOST_MICROSOFT_TENANT,
      },
      clientSecret: values.WAYPOST_MICROSOFT_CLIENT_SECRET,
    },
  }),
})
