import type { Connector, connectors } from '../connectors.ts'
import type { Credential, credentials } from '../credentials.ts'
import type { providers } from '../providers.ts'
import type { ExamplesOf } from './example.ts'
import { sampleGrant } from './shared.ts'

const scope = ['https://www.googleapis.com/auth/gmail.modify', 'https://www.googleapis.com/auth/calendar']
const clientId = '384120573316-v8c1m0.apps.googleusercontent.com'

export const google: Connector = {
  id: sampleGrant.integration_id,
  name: 'Google',
  provider: 'google',
  settings: { client_id: clientId, topic_name: 'projects/conference-planner/topics/mail' },
  scope,
  active_credential_id: null,
  created_at: 1_736_421_600,
  updated_at: 1_736_421_600,
}
const virtual: Connector = {
  ...google,
  id: 'a5e3d718-90b6-4c2f-8741-c3f6b0d92e15',
  name: 'Virtual calendars kept by the service',
  provider: 'virtual-calendar',
  settings: {},
  scope: [],
}
const params = { provider: 'google' }

export const connectorExamples: ExamplesOf<typeof connectors> = {
  list: { answer: [google, virtual] },
  create: {
    body: {
      provider: 'google',
      settings: {
        client_id: clientId,
        client_secret: 'the-secret-of-your-client',
        topic_name: 'projects/conference-planner/topics/mail',
      },
      scope,
    },
    answer: google,
    more: {
      virtual: {
        summary: 'For virtual calendars, without settings',
        body: { provider: 'virtual-calendar' },
        answer: virtual,
      },
    },
  },
  get: { params, answer: google },
  update: {
    summary: 'Fewer scopes for future sign-ins',
    params,
    body: { scope: ['https://www.googleapis.com/auth/calendar'] },
    answer: { ...google, scope: ['https://www.googleapis.com/auth/calendar'], updated_at: 1_739_175_300 },
  },
  delete: { params },
  test: {
    params,
    answer: {
      ok: false,
      redirect_uri: 'https://waypost.example.com/v3/connect/callback',
      checks: [
        {
          name: 'client',
          ok: false,
          message:
            'Google accepts the client, but https://waypost.example.com/v3/connect/callback is not registered there.',
        },
        { name: 'topic_name', ok: true, message: 'It has the form that Google asks for.' },
      ],
    },
  },
}

const credential: Credential = {
  id: '61f8b3c9-2e07-4da5-b946-0c7d5a18e3f2',
  name: 'Domain of the events team',
  credential_type: 'serviceaccount',
  created_at: 1_736_422_200,
  updated_at: 1_736_422_200,
}
const one = { provider: 'google', id: credential.id }

export const credentialExamples: ExamplesOf<typeof credentials> = {
  list: { params, query: { sort_by: 'created_at', order_by: 'desc' }, answer: [credential] },
  create: {
    params,
    body: {
      name: credential.name,
      credential_type: 'serviceaccount',
      credential_data: {
        private_key_id: '9d0c4b7e21',
        private_key: 'the private key of the service account, in PEM form',
        client_email: 'planner@conference-planner.iam.gserviceaccount.com',
      },
    },
    answer: credential,
  },
  get: { params: one, answer: credential },
  update: {
    params: one,
    body: { name: 'Domain of all teams' },
    answer: { ...credential, name: 'Domain of all teams', updated_at: 1_739_175_300 },
  },
  delete: { params: one },
}

export const providerExamples: ExamplesOf<typeof providers> = {
  detect: {
    query: { email: 'somebody@gmail.com', all_provider_types: true },
    answer: { email_address: 'somebody@gmail.com', detected: true, provider: 'google' },
    more: {
      vendor: {
        summary: 'A mailbox of a vendor with IMAP only',
        query: { email: 'somebody@aol.com', all_provider_types: true },
        answer: { email_address: 'somebody@aol.com', detected: true, provider: 'imap', type: 'aol' },
      },
    },
  },
}
