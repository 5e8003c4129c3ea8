/** Deleted calendars whose events are still being removed: since when, and whether their guests get a cancellation. */
export const removedCalendars = `
alter table calendars add column removed_at bigint;
alter table calendars add column tells_guests integer not null default 0;
`
