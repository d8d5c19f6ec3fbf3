import { findUnselectedRuns, type OldJournal } from './unselected-runs.ts'

/** Raised whenever the tables change; a directory written by a newer assay is refused, not misread. */
export const journalVersion = 9

/**
 * The journal's tables. `runs` contains the planned runs and their states; `attempts` every execution ever made;
 * `ledger` every movement of money. Times called `…_at` are milliseconds since 1970, money is USD. Times used in
 * calculations (`ready_at`, `…_elapsed`) are milliseconds on the machine's monotonic clock, which can't be set.
 */
export const tables = `
CREATE TABLE experiment (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- What it is called on a command line, instead of its path: \`assay worker 3f9a1c2e\`.
  short_id TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  -- Names a row of \`definitions\`. This row changes with every run, and SQLite writes a changed row as a whole.
  definition TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  -- Which runs are wanted now: a generation, and the hash of the plan and selection it stands for.
  generation INTEGER NOT NULL DEFAULT 0,
  generation_hash TEXT NOT NULL DEFAULT '',
  -- How that plan is made (order, seed, selection), so that a worker plans the same.
  plan_options TEXT NOT NULL DEFAULT '{}',
  planned INTEGER,
  planner_state TEXT,
  planner_done INTEGER NOT NULL DEFAULT 0,
  planner_seen INTEGER NOT NULL DEFAULT 0,
  planner_lease INTEGER,
  control TEXT NOT NULL DEFAULT 'go' CHECK (control IN ('go', 'pause', 'stop', 'stop_now')),
  limits_set TEXT NOT NULL DEFAULT '{}',
  -- Digests of the program's own files at the last call.
  programs TEXT NOT NULL DEFAULT '{}',
  -- Running totals: a budget check is one row, whatever the experiment's size.
  spent_usd REAL NOT NULL DEFAULT 0,
  reserved_usd REAL NOT NULL DEFAULT 0,
  overrun_usd REAL NOT NULL DEFAULT 0,
  settled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- The definition without what \`--seeds\` changed for a call: another row of \`definitions\`, or the same.
  own_definition TEXT NOT NULL DEFAULT '',
  -- Which runs are the experiment's, whatever a call selected: the hash of the whole plan, and how many runs it has.
  definition_hash TEXT NOT NULL DEFAULT '',
  definition_planned INTEGER,
  -- Since which start of which machine the times of \`runs.ready_at\` count.
  clock_boot TEXT NOT NULL DEFAULT ''
) STRICT;

-- A long list of levels makes a long definition. Only the present definition is kept.
CREATE TABLE definitions (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  -- Of the form in which it is written: see src/define/stored/.
  version INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE TABLE fingerprints (
  hash TEXT PRIMARY KEY,
  parts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  spec TEXT NOT NULL,
  why TEXT NOT NULL,
  generation INTEGER NOT NULL,
  position INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'running', 'finished', 'quarantined')),
  -- Milliseconds on the watch of the machine; 0: at once.
  ready_at INTEGER NOT NULL DEFAULT 0,
  outcome TEXT,
  fingerprint TEXT,
  attempt_id INTEGER,
  token TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  retries TEXT NOT NULL DEFAULT '{}',
  failure TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  cut_at REAL,
  settled INTEGER,
  -- What the attempts from this number on have cost and taken together, those that have ended: when a run is made anew,
  -- counting begins again. Of \`cost_usd\`, \`capped_usd\` is what counts against the run's cap: without what was assumed
  -- of programs that did not say what they spent.
  counts_from INTEGER NOT NULL DEFAULT 1,
  cost_usd REAL NOT NULL DEFAULT 0,
  cost_assumed INTEGER NOT NULL DEFAULT 0,
  capped_usd REAL NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  -- What the next attempt does, and which one it goes on from.
  mode TEXT NOT NULL DEFAULT 'run',
  continues INTEGER,
  -- Whether it is a run of the present definition, selected by the last call or not: such runs count for analysis.
  in_definition INTEGER NOT NULL DEFAULT 0,
  -- Which trial it is part of, where a search counts variants.
  trial TEXT,
  -- Whether some of its calls have no known price: it cost more than \`cost_usd\`, and nobody knows how much.
  cost_unknown INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Every index costs a page per run that is written: so they hold only what is looked for all the time.
CREATE INDEX runs_next ON runs (generation, ready_at, position) WHERE state = 'ready';
CREATE INDEX runs_running ON runs (generation) WHERE state = 'running';
-- Empty as long as every run completes, so that finding the others does not read a million completed ones.
CREATE INDEX runs_uncompleted ON runs (outcome) WHERE state = 'finished' AND outcome <> 'completed';

CREATE INDEX runs_trial ON runs (trial) WHERE trial IS NOT NULL;

-- Variants over all their blocks and replicates, where a search counts those.
CREATE TABLE trials (
  id TEXT PRIMARY KEY,
  -- The worker that took it: one that was started with --count leaves trials of others alone.
  taken_by INTEGER REFERENCES workers (id),
  -- Why its remaining runs are not made; NULL: they are.
  stopped TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  number INTEGER NOT NULL,
  token TEXT NOT NULL,
  worker_id INTEGER NOT NULL REFERENCES workers (id),
  fingerprint TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  pid INTEGER,
  start_time TEXT,
  ended_at INTEGER,
  outcome TEXT,
  facts TEXT,
  wall_s REAL,
  cpu_s REAL,
  max_rss_bytes INTEGER,
  reserved_usd REAL NOT NULL DEFAULT 0,
  cap_usd REAL,
  timeout_ms REAL,
  cost_usd REAL,
  cost_assumed INTEGER NOT NULL DEFAULT 0,
  command TEXT,
  cwd TEXT,
  has_directory INTEGER NOT NULL DEFAULT 0,
  outputs TEXT NOT NULL DEFAULT '[]',
  superseded INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'run',
  continues INTEGER,
  -- Where its files are; relative to the experiment's directory, if inside it.
  place TEXT,
  capped_usd REAL NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  -- As in \`runs\`.
  cost_unknown INTEGER NOT NULL DEFAULT 0,
  -- Whether all that it spends goes through calls. If so: those that were sent and are not booked, the most that they
  -- can take, and how many of them have no known price.
  pays_by_call INTEGER NOT NULL DEFAULT 0,
  open_calls INTEGER NOT NULL DEFAULT 0,
  open_tokens INTEGER NOT NULL DEFAULT 0,
  open_usd REAL NOT NULL DEFAULT 0,
  open_unpriced INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX attempts_unfinished ON attempts (worker_id) WHERE ended_at IS NULL;

CREATE TABLE metrics (
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  name TEXT NOT NULL,
  value REAL,
  problem TEXT,
  PRIMARY KEY (attempt_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE series (
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  name TEXT NOT NULL,
  steps TEXT NOT NULL,
  points TEXT NOT NULL,
  PRIMARY KEY (attempt_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('reserve', 'release', 'charge', 'assumed')),
  usd REAL NOT NULL,
  -- What of it was more than had been set aside.
  overrun_usd REAL NOT NULL DEFAULT 0,
  -- Of calls of models: what for (an open name), of which one, how many, and what the provider counted.
  -- NULL: no calls, or nobody counted.
  purpose TEXT,
  model TEXT,
  calls INTEGER,
  input_tokens INTEGER,
  cached_input_tokens INTEGER,
  cache_write_tokens INTEGER,
  output_tokens INTEGER,
  reasoning_tokens INTEGER
) STRICT;

CREATE TABLE workers (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('run', 'worker')),
  host TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  pid_namespace TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start_time TEXT,
  slots INTEGER NOT NULL,
  provenance_id INTEGER,
  joined_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  left_at INTEGER,
  -- The same on the watch of the machine that it is on, the last sign of life in the second.
  joined_elapsed REAL,
  heartbeat_elapsed REAL
) STRICT;
CREATE INDEX workers_here ON workers (id) WHERE left_at IS NULL;

CREATE TABLE provenance (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  facts TEXT NOT NULL
) STRICT;

CREATE TABLE labels (
  run_id INTEGER REFERENCES runs (id),
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'note')),
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;

PRAGMA user_version = ${journalVersion};
`

/** Upgrades of the tables from each version to the next, in order; `after` fills in what SQL alone can't. */
export const upgrades: readonly {
  readonly from: number
  readonly sql: string
  readonly after?: (journal: OldJournal) => void
}[] = [
  {
    from: 1,
    sql: `
ALTER TABLE experiment ADD COLUMN short_id TEXT NOT NULL DEFAULT '';
UPDATE experiment SET short_id = lower(hex(randomblob(4)));
PRAGMA user_version = 2;
`,
  },
  {
    from: 2,
    sql: `
CREATE TABLE definitions (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO definitions (id, text) SELECT lower(hex(randomblob(16))), definition FROM experiment;
UPDATE experiment SET definition = (SELECT id FROM definitions);
CREATE INDEX runs_uncompleted ON runs (outcome) WHERE state = 'finished' AND outcome <> 'completed';
PRAGMA user_version = 3;
`,
  },
  {
    from: 3,
    sql: `
ALTER TABLE runs ADD COLUMN counts_from INTEGER NOT NULL DEFAULT 1;
ALTER TABLE runs ADD COLUMN cost_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN cost_assumed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN capped_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN mode TEXT NOT NULL DEFAULT 'run';
ALTER TABLE runs ADD COLUMN continues INTEGER;
ALTER TABLE attempts ADD COLUMN mode TEXT NOT NULL DEFAULT 'run';
ALTER TABLE attempts ADD COLUMN continues INTEGER;
ALTER TABLE attempts ADD COLUMN place TEXT;
ALTER TABLE attempts ADD COLUMN capped_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
-- Nobody can tell which attempts were made anew: caps count from the next attempt on, costs are those of the last.
UPDATE attempts SET place = 'runs/' || (SELECT name FROM runs r WHERE r.id = run_id) WHERE has_directory = 1;
UPDATE runs SET counts_from = max(1, attempts), cost_usd = coalesce(a.cost_usd, 0), cost_assumed = a.cost_assumed
  FROM attempts a WHERE a.id = runs.attempt_id AND a.ended_at IS NOT NULL;
UPDATE runs SET counts_from = max(1, attempts) WHERE state = 'running';
ALTER TABLE experiment ADD COLUMN own_definition TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN definition_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE experiment ADD COLUMN definition_planned INTEGER;
ALTER TABLE runs ADD COLUMN in_definition INTEGER NOT NULL DEFAULT 0;
UPDATE experiment SET own_definition = definition, definition_planned = planned;
UPDATE runs SET in_definition = 1 WHERE generation = (SELECT generation FROM experiment);
PRAGMA user_version = 4;
`,
    after: findUnselectedRuns,
  },
  {
    from: 4,
    sql: `
ALTER TABLE definitions ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
PRAGMA user_version = 5;
`,
  },
  {
    from: 5,
    sql: `
ALTER TABLE ledger ADD COLUMN overrun_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN purpose TEXT;
ALTER TABLE ledger ADD COLUMN model TEXT;
ALTER TABLE ledger ADD COLUMN calls INTEGER;
ALTER TABLE ledger ADD COLUMN input_tokens INTEGER;
ALTER TABLE ledger ADD COLUMN cached_input_tokens INTEGER;
ALTER TABLE ledger ADD COLUMN cache_write_tokens INTEGER;
ALTER TABLE ledger ADD COLUMN output_tokens INTEGER;
ALTER TABLE ledger ADD COLUMN reasoning_tokens INTEGER;
PRAGMA user_version = 6;
`,
  },
  {
    from: 6,
    sql: `
ALTER TABLE runs ADD COLUMN trial TEXT;
CREATE INDEX runs_trial ON runs (trial) WHERE trial IS NOT NULL;
CREATE TABLE trials (
  id TEXT PRIMARY KEY,
  taken_by INTEGER REFERENCES workers (id),
  stopped TEXT
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 7;
`,
  },
  {
    from: 7,
    sql: `
ALTER TABLE runs ADD COLUMN cost_unknown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN cost_unknown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN pays_by_call INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN open_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN open_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN open_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN open_unpriced INTEGER NOT NULL DEFAULT 0;
PRAGMA user_version = 8;
`,
  },
  {
    from: 8,
    sql: `
ALTER TABLE experiment ADD COLUMN clock_boot TEXT NOT NULL DEFAULT '';
ALTER TABLE workers ADD COLUMN joined_elapsed REAL;
ALTER TABLE workers ADD COLUMN heartbeat_elapsed REAL;
PRAGMA user_version = 9;
`,
  },
]
