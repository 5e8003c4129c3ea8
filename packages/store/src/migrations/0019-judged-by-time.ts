/**
 * The time at which the state of a destination changes without further attempts. Existing ones are evaluated once, at
 * the next check.
 */
export const judgedByTime = `
alter table lanes add column judge_at bigint default 0;
create index lanes_to_judge on lanes (judge_at) where judge_at is not null;
`
