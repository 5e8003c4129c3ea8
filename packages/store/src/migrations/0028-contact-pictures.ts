/** Pictures of contacts that the service stores. A separate table, because lists do not contain them. */
import type { Engine } from '../engine/database.ts'

export const contactPictures = (engine: Engine): string => `
create table contact_pictures (
  grant_id text not null,
  contact_id text${engine === 'postgresql' ? ' collate "C"' : ''} not null,
  application_id text not null,
  key_hash text not null,
  sealed_picture text not null,
  primary key (grant_id, contact_id),
  foreign key (grant_id, contact_id) references contacts (grant_id, id) on delete cascade
);
create unique index contact_pictures_by_key on contact_pictures (key_hash);
`
