import { z } from 'zod'
import { booleanParam, cursorPaging, HexColour, Id, line, selectParam, textParam } from './fields.ts'
import { sharedFrom } from './messages.ts'
import { route } from './route.ts'

export const Folder = z
  .object({
    id: z.string().meta({
      description: 'With `imap` made of the path, in characters that stand in an address without being encoded',
    }),
    grant_id: Id,
    object: z.literal('folder'),
    name: z.string().meta({ description: 'With `imap`, `icloud` and `yahoo` the whole path' }),
    attributes: z.array(z.string()).meta({
      description:
        '`\\Inbox`, `\\Sent`, `\\Drafts`, `\\Trash`, `\\Junk`, `\\Archive`, and what an IMAP server says beside them',
    }),
    system_folder: z.boolean().optional(),
    parent_id: z.string().optional(),
    child_count: z.int().optional(),
    total_count: z.int().optional(),
    unread_count: z.int().optional(),
    background_color: z.string().optional(),
    text_color: z.string().optional(),
    former_id: z
      .string()
      .optional()
      .meta({ description: 'In `folder.updated` of a folder that has another id since it was renamed: the id before' }),
  })
  .meta({ id: 'Folder' })
export type Folder = z.output<typeof Folder>

export const FolderDraft = z
  .object({
    name: line(1024)
      .min(1)
      .meta({ description: "A name with an IMAP server's separator in it is a folder within another" }),
    parent_id: line(1024).nullish().meta({ description: '`microsoft` and `ews`' }),
    text_color: HexColour.nullish().meta({ description: '`google`' }),
    background_color: HexColour.nullish().meta({ description: '`google`' }),
  })
  .meta({ id: 'FolderDraft' })
export type FolderDraft = z.output<typeof FolderDraft>

export const FolderChange = FolderDraft.partial({ name: true }).meta({ id: 'FolderChange' })
export type FolderChange = z.output<typeof FolderChange>

const hidden = { include_hidden_folders: booleanParam().meta({ description: '`microsoft`' }) }

export const FolderListQuery = z.object({
  parent_id: textParam().meta({ description: '`microsoft` and `ews`: the folders within this one' }),
  ...hidden,
  single_level: booleanParam().meta({ description: '`microsoft`: true: one level, false: the whole tree in one list' }),
  ...sharedFrom,
  ...cursorPaging(),
  ...selectParam,
})
export type FolderListQuery = z.output<typeof FolderListQuery>

export const FolderQuery = z.object({ ...hidden, ...sharedFrom, ...selectParam })
export type FolderQuery = z.output<typeof FolderQuery>

const at = '/v3/grants/:grant_id/folders'

export const folders = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List folders, those within others included',
    audience: 'grant',
    query: FolderListQuery,
    returns: Folder,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a folder',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderDraft,
    returns: Folder,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:folder_id`,
    summary: 'Get one folder',
    audience: 'grant',
    query: FolderQuery,
    returns: Folder,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:folder_id`,
    summary: 'Change a folder',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: FolderChange,
    returns: Folder,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:folder_id`,
    summary: 'Delete a folder',
    description: 'Its messages go with it; with `google` they lose the label and stay.',
    audience: 'grant',
    query: z.object(sharedFrom),
    errors: ['not_found'],
  }),
}
