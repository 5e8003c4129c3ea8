import type { account } from '../account.ts'
import type { installation } from '../installation.ts'
import type { Person, people } from '../people.ts'
import { key } from './administration.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, personId } from './shared.ts'

const ada: Person = {
  id: personId,
  email: 'ada@example.com',
  name: 'Ada Okafor',
  role: 'administrator',
  applications: 'all',
  state: 'active',
  has_password: true,
  has_totp: true,
  has_oidc: false,
  recovery_codes_left: 10,
  invitation_expires_at: null,
  signed_in_at: 1_739_221_800,
  created_at: 1_736_421_000,
  updated_at: 1_736_421_900,
}
const invited: Person = {
  ...ada,
  state: 'invited',
  has_password: false,
  has_totp: false,
  recovery_codes_left: 0,
  invitation_expires_at: 1_737_025_800,
  signed_in_at: null,
  updated_at: 1_736_421_000,
}
const link = 'https://mail.example.com/dashboard#invitation=q3Zt0YB7mVxk2WnJp5sLdE8uRf1cHgA6iOy9KbTjXwM'

export const peopleExamples: ExamplesOf<typeof people> = {
  list: { query: { search: 'ada' }, answer: [ada] },
  create: {
    body: { email: 'ada@example.com', name: 'Ada Okafor', role: 'administrator' },
    answer: { ...invited, invitation_link: link },
  },
  get: { params: { person_id: personId }, answer: ada },
  update: {
    params: { person_id: personId },
    body: { role: 'viewer', applications: [applicationId] },
    answer: { ...ada, role: 'viewer', applications: [applicationId], api_keys: [key], api_keys_revoked: false },
  },
  delete: {
    params: { person_id: personId },
    query: { revoke_api_keys: true },
    answer: { api_keys: [key], api_keys_revoked: true },
  },
  keys: { params: { person_id: personId }, answer: [key] },
  revokeKeys: { params: { person_id: personId }, answer: { api_keys: [key], api_keys_revoked: true } },
  invite: { params: { person_id: personId }, answer: { ...invited, invitation_link: link } },
  removeTotp: { params: { person_id: personId } },
}

const proof = { current_password: 'slow-otters-cross-the-quay' }
const codes = ['k7qd-2mxp-9vha-t4nz', 'w3fs-8yrc-jb6e-u5mk']

export const accountExamples: ExamplesOf<typeof account> = {
  get: { answer: ada },
  update: { body: { name: 'Ada Okafor-Lind' }, answer: { ...ada, name: 'Ada Okafor-Lind' } },
  beginTotp: {
    body: proof,
    answer: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Waypost:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Waypost&algorithm=SHA1&digits=6&period=30',
    },
  },
  confirmTotp: { body: { code: '492039' }, answer: { recovery_codes: codes } },
  removeTotp: { body: proof },
  renewRecoveryCodes: { body: proof, answer: { recovery_codes: codes } },
}

export const installationExamples: ExamplesOf<typeof installation> = {
  get: { answer: { installation_password: true, password_of_settings: false, second_factor_required_for: [] } },
  update: {
    body: { installation_password: false, second_factor_required_for: ['owner', 'administrator', 'viewer'] },
    answer: {
      installation_password: false,
      password_of_settings: false,
      second_factor_required_for: ['owner', 'administrator', 'viewer'],
    },
  },
}
