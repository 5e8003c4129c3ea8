import type { invitations, Session, session } from '../session.ts'
import type { ExamplesOf } from './example.ts'
import { personId } from './shared.ts'

const signedIn: Session = {
  id: '0194f1c8-5a0e-7c44-9d1b-3f6e8a2b7c90',
  signed_in_at: 1_739_221_800,
  expires_at: 1_739_265_000,
  idle_expires_at: 1_739_223_600,
  required_action: null,
  person: { id: personId, name: 'Ada Okafor', email: 'ada@example.com', role: 'administrator' },
  rights: { role: 'administrator', applications: 'all', customer_data: true },
}

export const sessionExamples: ExamplesOf<typeof session> = {
  create: {
    body: { email: 'ada@example.com', password: 'slow-otters-cross-the-quay', code: '492039' },
    answer: signedIn,
    more: {
      installation: {
        summary: 'With the installation’s password',
        body: { password: 'the password that the first start printed' },
        answer: {
          ...signedIn,
          person: null,
          rights: { role: 'owner', applications: 'all', customer_data: true },
        },
      },
    },
  },
  ways: { answer: { installation_password: true, people: true, oidc: null } },
  get: { answer: signedIn },
  delete: {},
  list: {
    answer: [
      {
        id: signedIn.id,
        person: signedIn.person,
        way: 'password',
        address: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0',
        signed_in_at: 1_739_221_800,
        expires_at: 1_739_265_000,
        seen_at: 1_739_221_800,
        current: true,
      },
    ],
  },
  end: { params: { session_id: signedIn.id } },
  deleteAll: {},
  password: {
    body: { current_password: 'the password as it is now', new_password: 'slow-otters-cross-the-quay' },
  },
}

const token = 'q3Zt0YB7mVxk2WnJp5sLdE8uRf1cHgA6iOy9KbTjXwM'

export const invitationExamples: ExamplesOf<typeof invitations> = {
  read: {
    body: { token },
    answer: {
      email: 'ada@example.com',
      name: 'Ada Okafor',
      role: 'administrator',
      needs_code: false,
      expires_at: 1_739_826_600,
    },
  },
  accept: {
    body: { token, name: 'Ada Okafor', password: 'slow-otters-cross-the-quay' },
    answer: signedIn,
  },
}
