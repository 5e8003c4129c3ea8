import type { connectorSetup } from '../connector-setup.ts'
import { google } from './connectors.ts'
import type { ExamplesOf } from './example.ts'

export const connectorSetupExamples: ExamplesOf<typeof connectorSetup> = {
  get: {
    params: { provider: 'google' },
    answer: {
      provider: 'google',
      redirect_uri: 'https://waypost.example.com/v3/connect/callback',
      push: { address: 'https://waypost.example.com/v3/push/google', reachable: true },
      simulator: { url: null, ready: false },
    },
  },
  simulate: { params: { provider: 'google' }, answer: google },
}
