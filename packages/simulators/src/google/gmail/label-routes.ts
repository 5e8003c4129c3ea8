// users.labels
import type { ApiRoute } from '../http.ts'
import { createLabel, deleteLabel, findLabel, labelResource, labelSummary, updateLabel } from './labels.ts'
import { gmailRoute, MAIL } from './route.ts'

const READ = [MAIL, 'gmail.modify', 'gmail.labels', 'gmail.readonly', 'gmail.metadata']
const WRITE = [MAIL, 'gmail.modify', 'gmail.labels']

export const labelRoutes: readonly ApiRoute[] = [
  gmailRoute({
    on: 'GET /labels',
    scopes: READ,
    handle: ({ labels }) => ({ json: { labels: [...labels.values()].map(labelSummary) } }),
  }),
  gmailRoute({
    on: 'GET /labels/:id',
    scopes: READ,
    handle: (mailbox, { params: { id = '' } }) => ({ json: labelResource(mailbox, findLabel(mailbox, id)) }),
  }),
  gmailRoute({
    on: 'POST /labels',
    scopes: WRITE,
    handle: (mailbox, { json }) => ({ json: labelSummary(createLabel(mailbox, json())) }),
  }),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    gmailRoute({
      on: `${method} /labels/:id`,
      scopes: WRITE,
      handle: (mailbox, { params: { id = '' }, json }) => ({ json: labelSummary(updateLabel(mailbox, id, json())) }),
    }),
  ),
  gmailRoute({
    on: 'DELETE /labels/:id',
    scopes: WRITE,
    handle(mailbox, { params: { id = '' } }) {
      deleteLabel(mailbox, id)
      return {}
    },
  }),
]
