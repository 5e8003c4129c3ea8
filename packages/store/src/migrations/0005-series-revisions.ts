/**
 * The revision of each series, so that a cache of the other series reads only those that changed.
 *
 * Of the indexes of events, only the primary key starts with the grant now. With several, PostgreSQL picks any of
 * them for a lookup by id while it believes that the grant has few events: on a new table, and for an account newer
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
