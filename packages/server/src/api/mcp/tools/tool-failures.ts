/** Failures of tools as texts that a model can act on: what is wrong, and what to do. */
import type { Approval } from '@waypost/contract'
import { textIn } from '@waypost/platform/json/values'
import type { z } from 'zod'
import type { InternalAnswer } from '../../pipeline/internal-call.ts'
import { neutralLine } from '../content/neutralize.ts'

/** A call of the API was refused or failed. */
export class ToolFailure extends Error {
  readonly answer: Pick<InternalAnswer, 'status' | 'body' | 'requestId'>

  constructor(answer: ToolFailure['answer']) {
    super('a call of the API failed')
    this.answer = answer
  }
}

/** The action waits for a person. */
export class WaitsForApproval extends Error {
  readonly approval: Approval

  constructor(approval: Approval) {
    super('the action waits for approval')
    this.approval = approval
  }
}

/** The error of an answer: its type, its message and the request id. */
export function failureText({ status, body, requestId }: ToolFailure['answer'], tool: string): string {
  const error = body.error
  const field = (name: string): string | undefined => {
    const value = textIn(error, name)
    return value === undefined ? undefined : neutralLine(value).slice(0, 1000)
  }
  const type = field('type') ?? 'internal_error'
  const advice = adviceFor(type, status)
  return `${type}: ${field('message') ?? `${tool} failed`}${advice ? ` (${advice})` : ''}\nrequest id: ${requestId}`
}

function adviceFor(type: string, status: number): string | undefined {
  if (type === 'missing_right' || type === 'recipient_not_allowed') return 'do not try another way; ask the user'
  if (status === 429) return 'wait before the next call'
  if (status >= 500) return 'try again later'
  return undefined
}

/** Names every argument that does not fit, and the arguments that exist if one is unknown. */
export function describeIssues({ issues }: z.ZodError, known: readonly string[]): string {
  const texts = issues.slice(0, 5).map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const names = issue.keys.slice(0, 5).map((key) => neutralLine(key).slice(0, 60))
      const at = issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
      return `${at}${names.join(', ')}: no such argument${at ? '' : `; the arguments are ${known.join(', ') || 'none'}`}`
    }
    const isMissing =
      issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message)
    return `${issue.path.join('.') || 'arguments'}: ${isMissing ? 'is required' : issue.message}`
  })
  return texts.join('; ')
}
