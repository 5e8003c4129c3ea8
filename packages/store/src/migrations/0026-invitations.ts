/**
 * Invitation mails for events of virtual calendars and their replies, and the read position in the mailbox for
 * replies.
 */
export const invitations = `
create table invitations (
  grant_id text not null,
  event_id text not null,
  application_id text not null,
  uid text not null,
  state text not null,
  primary key (grant_id, event_id),
  foreign key (grant_id, event_id) references events (grant_id, id) on delete cascade
);
insert into invitations (grant_id, event_id, application_id, uid, state)
  select grant_id, id, application_id, ical_uid, '{"stamp":0,"asked":0,"askedSlots":{},"replies":{}}'
  from events where kind <> 'override' and (document like '%"participants":[{%' or exists (
    select 1 from events one where one.grant_id = events.grant_id and one.master_id = events.id
    and one.document like '%"participants":[{%'));
create index invitations_by_uid on invitations (uid);

create table reply_mailboxes (
  id text primary key,
  owner text,
  lease_until bigint,
  uid_validity bigint not null,
  last_uid bigint not null
);
`
