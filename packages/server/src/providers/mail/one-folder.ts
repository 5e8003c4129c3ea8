/** Changes at providers where a message is in one folder. */
import { type ApiError, invalidField } from '../../lib/api-error.ts'
import type { MailChange } from '../operations.ts'

/** The folder that a change names, if it names one; `provider` is what the provider is called. */
export function folderIn({ folders }: Pick<MailChange, 'folders'>, provider: string): string | undefined {
  if (folders === undefined) return undefined
  const [folder, ...others] = new Set(folders)
  if (folder === undefined || others.length > 0) {
    throw invalidField('folders', `must name exactly one folder: at ${provider} a message is in one`)
  }
  return folder
}

/** The error for a change that puts a message where it cannot be put. */
export const noSuchTarget = (): ApiError =>
  invalidField('folders', 'names what is no folder of this account that messages can be put into: see GET …/folders')

/** The error for a filter that names no folder of the mailbox. */
export const unknownFolder = (): ApiError =>
  invalidField('in', 'is not the id of a folder of this account: see GET …/folders')
