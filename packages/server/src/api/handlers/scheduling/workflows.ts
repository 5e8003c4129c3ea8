import { ApiError } from '@waypost/platform/api-error'
import { deleteWorkflow, listWorkflows } from '@waypost/store/tables/scheduling/workflows'
import {
  changeWorkflow,
  checkSender,
  createWorkflow,
  needWorkflow,
  ownerOf,
  workflowOf,
} from '../../../booking/workflows.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { listCreated } from '../lists/keyset-page.ts'

export const workflows = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['workflows'] => ({
  list: (context) => listCreated(context, (page) => listWorkflows(database, ownerOf(context), page), workflowOf),
  create: (context) => {
    const { body, write } = context
    checkSender(context, body.from)
    return write((tx) => createWorkflow(tx, ownerOf(context), body, clock.now()))
  },
  get: async (context) => workflowOf(await needWorkflow(database, ownerOf(context), context.params.workflow_id)),
  update: (context) => {
    const { body, params, write } = context
    checkSender(context, body.from)
    return write((tx) => changeWorkflow(tx, ownerOf(context), params.workflow_id, body))
  },
  delete: (context) =>
    context.write(async (tx) => {
      if (!(await deleteWorkflow(tx, ownerOf(context), context.params.workflow_id))) throw new ApiError('not_found')
    }),
})

/** The same for the workflows of one grant. */
export const grantWorkflows = (services: Pick<Services, 'storage'>): Handlers['grantWorkflows'] => workflows(services)
