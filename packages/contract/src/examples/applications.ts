import type { Application, applications } from '../applications.ts'
import type { RedirectUri, redirectUris } from '../redirect-uris.ts'
import type { ExamplesOf } from './example.ts'
import { applicationId } from './shared.ts'

const web: RedirectUri = {
  id: '7f2d90c4-3b58-4e1a-96a7-d80c5e14f2b3',
  platform: 'web',
  url: 'https://app.example.com/connected',
  settings: {},
  created_at: 1_736_421_000,
}
const page: RedirectUri = {
  id: 'd0b4c1e8-72f6-4935-8a0d-51e93f7a6c28',
  platform: 'js',
  url: 'https://app.example.com/inbox',
  settings: { origin: 'https://app.example.com' },
  created_at: 1_736_421_300,
}

export const application: Application = {
  application_id: applicationId,
  organization_id: 'e81c4a70-5d29-4b36-9f02-a7d6c3b8154e',
  region: 'eu',
  environment: 'production',
  default_workspace_id: '4b9e07d2-c6a1-4f83-b5d8-20e7f9a31c64',
  branding: { name: 'Conference planner', icon_url: 'https://www.example.com/icon.png' },
  hosted_authentication: { title: 'Connect your calendar', color_primary: '#1a73e8', alignment: 'center' },
  idp_settings: { origins: 'https://app.example.com' },
  expand_recurring_default: true,
  allow_hard_delete: false,
  mcp_enabled: false,
  notification_stream: false,
  notification_days: 7,
  callback_uris: [web, page],
  blocked: false,
  created_at: 1_736_420_700,
  updated_at: 1_736_421_300,
}

export const applicationExamples: ExamplesOf<typeof applications> = {
  get: { answer: application },
  update: {
    summary: 'A new look of the sign-in pages, the notification stream, and the MCP endpoint',
    body: {
      hosted_authentication: { title: 'Connect your calendar', color_primary: '#0b8043' },
      notification_stream: true,
      notification_days: 14,
      mcp_enabled: true,
    },
    answer: {
      ...application,
      hosted_authentication: { title: 'Connect your calendar', color_primary: '#0b8043' },
      notification_stream: true,
      notification_days: 14,
      mcp_enabled: true,
      updated_at: 1_739_175_300,
    },
  },
}

const params = { id: web.id }

export const redirectUriExamples: ExamplesOf<typeof redirectUris> = {
  list: { answer: [web, page] },
  create: {
    body: { url: web.url, platform: 'web' },
    answer: web,
    more: {
      page: {
        summary: 'A page that calls the API itself',
        body: { url: page.url, platform: 'js', settings: { origin: 'https://app.example.com' } },
        answer: page,
      },
    },
  },
  get: { params, answer: web },
  update: {
    params,
    body: { url: 'https://app.example.com/connected/calendar' },
    answer: { ...web, url: 'https://app.example.com/connected/calendar' },
  },
  delete: { params },
}
