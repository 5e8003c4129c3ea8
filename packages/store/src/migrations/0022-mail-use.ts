/**
 * Mails that applications send with the operator's own identity: the number of today, and the limit if it is not the
 * default.
 */
export const mailUse = `
create table mail_use (
  application_id text primary key references applications (id) on delete cascade,
  per_day integer,
  day integer not null,
  used integer not null
);
`
