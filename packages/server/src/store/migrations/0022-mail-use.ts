/** What applications send by the operator's own mail identity: how much today, and how much they may where it is not the usual. */
export const mailUse = `
create table mail_use (
  application_id text primary key references applications (id) on delete cascade,
  per_day integer,
  day integer not null,
  used integer not null
);
`
