import type { Workspace, workspaces } from '../workspaces.ts'
import { application } from './applications.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId, grantId, virtualGrantId } from './shared.ts'

const common: Workspace = {
  workspace_id: application.default_workspace_id,
  application_id: applicationId,
  name: 'Default',
  domain: '',
  auto_group: false,
  default: true,
  rule_ids: [],
  created_at: 1_736_420_700,
  updated_at: 1_736_420_700,
}
const times = { created_at: 1_736_510_400, updated_at: 1_736_510_400 }
const ofDomain: Workspace = {
  ...common,
  workspace_id: 'a7c40e92-15d8-4b6f-8e03-9b2d71f5c864',
  name: 'Example Travel',
  domain: 'example.com',
  auto_group: true,
  default: false,
  ...times,
}
const byHand: Workspace = {
  ...common,
  workspace_id: 'e3196fd5-8a02-47bc-9d74-0f6b2c8e51a7',
  name: 'Tour guides',
  default: false,
  ...times,
}

const params = { workspace_id: ofDomain.workspace_id }

export const workspaceExamples: ExamplesOf<typeof workspaces> = {
  list: { answer: [common, ofDomain, byHand] },
  create: {
    summary: 'The accounts of one domain',
    body: { name: ofDomain.name, domain: ofDomain.domain, auto_group: true },
    answer: ofDomain,
    more: {
      byHand: { summary: 'Grants assigned by hand', body: { name: byHand.name }, answer: byHand },
    },
  },
  autoGroup: {
    body: { specific_domain: 'example.com', invalid_also: true },
    answer: {
      job_id: '2f8b6c05-d19e-4a37-b840-6e5c93a7f1d2',
      message: 'The grants are grouped in the background. Each one moves as soon as it is found.',
    },
  },
  get: { params, answer: ofDomain },
  update: {
    params,
    body: { name: 'Example Travel Ltd', auto_group: false },
    answer: { ...ofDomain, name: 'Example Travel Ltd', auto_group: false, updated_at: 1_739_175_300 },
  },
  delete: { params },
  manualAssign: {
    params,
    body: { assign_grants: [grantId], remove_grants: [virtualGrantId] },
    answer: {
      application_id: applicationId,
      workspace_id: ofDomain.workspace_id,
      domain: ofDomain.domain,
      grants_assigned: [grantId],
      grants_removed: null,
    },
  },
}
