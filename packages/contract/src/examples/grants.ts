import type { Grant, grants } from '../grants.ts'
import type { ExamplesOf } from './example.ts'
import { grantId, sampleGrant, virtualGrantId } from './shared.ts'

/** Mira Okafor's grant at Google. */
export const grant: Grant = {
  id: grantId,
  provider: sampleGrant.provider,
  grant_status: 'valid',
  email: sampleGrant.email,
  name: 'Mira Okafor',
  scope: [
    'https://www.googleapis.com/auth/gmail.modify',
    'https://www.googleapis.com/auth/calendar',
    'openid',
    'https://www.googleapis.com/auth/userinfo.email',
  ],
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0',
  ip: '203.0.113.7',
  state: 'from-settings-page',
  settings: {},
  metadata: { key1: 'team-events' },
  provider_user_id: '108234567890123456789',
  external_id: 'user-4711',
  credential_id: null,
  workspace_id: 'a7c40e92-15d8-4b6f-8e03-9b2d71f5c864',
  blocked: false,
  created_at: 1_736_424_000,
  updated_at: 1_739_175_300,
}

/** The virtual account of the tour guides. */
export const virtualGrant: Grant = {
  ...grant,
  id: virtualGrantId,
  provider: 'virtual-calendar',
  email: 'tour-guides',
  name: null,
  scope: [],
  user_agent: null,
  ip: null,
  state: null,
  metadata: {},
  provider_user_id: null,
  external_id: null,
  created_at: 1_736_510_400,
  updated_at: 1_736_510_400,
}

export const grantExamples: ExamplesOf<typeof grants> = {
  list: { query: { limit: 2, sort_by: 'created_at', order_by: 'desc' }, answer: [virtualGrant, grant] },
  get: {
    answer: grant,
    more: {
      aliases: {
        summary: 'By address, with aliases of the account',
        params: { grant_id: 'email:mira.okafor@example.com' },
        query: { expose_aliases: true },
        answer: { ...grant, email_aliases: ['events@example.com'] },
      },
    },
  },
  update: {
    body: { metadata: { key1: 'team-events', key2: 'uppsala' }, external_id: 'user-4711' },
    answer: { ...grant, metadata: { key1: 'team-events', key2: 'uppsala' } },
  },
  delete: {},
}
