/**
 * Which series were written since a revision of their calendar, so that whoever remembers the others reads only these.
 *
 * And of the indexes of events only the primary key begins with the grant now. Where several do, PostgreSQL takes any of
 * them for a lookup by id as long as it believes the grant to have few events: on a new table, and for an account newer
 * than its statistics.
 */
export const seriesRevisions = `
alter table calendars add column series_lost bigint not null default 0;
alter table events add column series_revision bigint;
drop index events_by_start;
drop index events_by_uid;
create index events_by_start on events (calendar_id, grant_id, kind, start_at, id);
create index events_by_uid on events (calendar_id, grant_id, ical_uid);
create index events_by_revision on events (calendar_id, grant_id, series_revision) where series_revision is not null;
`
