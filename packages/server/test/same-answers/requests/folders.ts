import type { AskList } from '../run.ts'

const of = (name: string, call: string, body?: object) => ({
  name: `folders: ${name}`,
  call,
  ...(body ? { body } : {}),
})

export const folderRequests: AskList = [
  of('the inbox', 'GET /folders/{inbox}'),
  of('the sent folder', 'GET /folders/{sent}?select=id,object,attributes,system_folder'),
  { ...of('created', 'POST /folders', { name: 'Plans' }), keep: { folder: 'id' } },
  of('created, read', 'GET /folders/{folder}'),
  { ...of('listed', 'GET /folders?limit=200'), only: 'Plans' },
  of('created again', 'POST /folders', { name: 'Plans' }),
  of('created without a name', 'POST /folders', { name: '' }),
  of('created with no name at all', 'POST /folders', {}),
  { ...of('created with other letters', 'POST /folders', { name: 'Pläne & Co' }), keep: { umlaut: 'id' } },
  of('renamed', 'PUT /folders/{umlaut}', { name: 'Ideas' }),
  of('renamed to a name that is taken', 'PUT /folders/{folder}', { name: 'Ideas' }),
  of('renamed to nothing', 'PUT /folders/{folder}', { name: '' }),
  of('unknown', 'GET /folders/no-such-folder'),
  of('unknown, renamed', 'PUT /folders/no-such-folder', { name: 'Other' }),
  of('unknown, deleted', 'DELETE /folders/no-such-folder'),
  of('the inbox, renamed', 'PUT /folders/{inbox}', { name: 'Mine' }),
  of('the inbox, deleted', 'DELETE /folders/{inbox}'),
  of('the sent folder, deleted', 'DELETE /folders/{sent}'),
  { name: 'messages: of an empty folder', call: 'GET /messages?in={folder}' },
  { name: 'message: moved to a folder', call: 'PUT /messages/{bare}', body: { folders: ['{folder}'] } },
  { name: 'messages: of the folder that one was moved to', call: 'GET /messages?in={folder}', keep: { moved: '0.id' } },
  { name: 'message: moved back', call: 'PUT /messages/{moved}', body: { folders: ['{inbox}'] } },
  of('deleted', 'DELETE /folders/{folder}'),
  of('deleted, read', 'GET /folders/{folder}'),
  of('with a limit of 0', 'GET /folders?limit=0'),
]
