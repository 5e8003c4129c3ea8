/** Changes at providers where a message is in exactly one folder. */
import { type ApiError, invalidField } from '@waypost/platform/api-error'
import type { MailChange } from '../operations.ts'

/** The folder in a change, if any. `provider` is the display name of the provider. */
export function folderIn({ folders }: Pick<MailChange, 'folders'>, provider: string): string | undefined {
  if (folders === undefined) return undefined
  const [folder, ...others] = new Set(folders)
  if (folder === undefined || others.length > 0) {
    throw invalidField('folders', `must name exactly one folder: at ${provider} a message is in one folder`)
  }
  return folder
}

/** The error for a target folder that cannot hold messages. */
export const noSuchTarget = (): ApiError =>
  invalidField('folders', 'is not a folder of this account that can hold messages: see GET …/folders')

/** The error for an unknown folder in a filter. */
export const unknownFolder = (): ApiError =>
  invalidField('in', 'is not the id of a folder of this account: see GET …/folders')
