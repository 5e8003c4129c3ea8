/**
 * For triggers on request: the places of messages, so that a deletion is not mistaken for a move, and when the mail of an
 * account was read for the first time.
 */
export const triggersOnRequest = `
alter table grants add column first_read_at bigint;
create table message_places (
  application_id text not null,
  grant_id text not null,
  folder text not null,
  place text not null,
  name text not null,
  message_id text not null,
  received_at bigint not null,
  primary key (grant_id, folder, place, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index message_places_by_name on message_places (grant_id, name);
create index message_places_by_age on message_places (grant_id, received_at);
`
