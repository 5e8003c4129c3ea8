/** Virtual accounts: calendars that the service keeps itself. The identifier is any text; there is nothing to sign in to. */
import { defineProvider } from '../provider.ts'

export const virtual = defineProvider({
  kind: 'virtual-calendar',
  authenticate: async (settings) => {
    const email = String(settings.email)
    return { email, name: null, providerUserId: null, scope: [], settings: { email } }
  },
})
