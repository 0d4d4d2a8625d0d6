-- The store of `eccel explore`. docs/explore.md explains it, with examples of queries.

-- A point of a sweep, by the hash of all that its result depends on.
CREATE TABLE IF NOT EXISTS point (
  key        TEXT PRIMARY KEY,
  spec       TEXT NOT NULL,               -- the point as JSON
  label      TEXT NOT NULL,
  state      TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'claimed', 'done', 'failed')),
  worker     TEXT,                        -- who claimed it
  attempts   INTEGER NOT NULL DEFAULT 0,  -- how often it was claimed
  error      TEXT NOT NULL DEFAULT '',    -- of a failed point, in one line
  log        TEXT NOT NULL DEFAULT ''     -- the end of its log
);
CREATE INDEX IF NOT EXISTS point_state ON point (state);

-- Which points a sweep consists of. A sweep is the hash of its points.
CREATE TABLE IF NOT EXISTS sweep (
  id     TEXT NOT NULL,
  number INTEGER NOT NULL,                -- in the order of the space file
  key    TEXT NOT NULL REFERENCES point (key),
  PRIMARY KEY (id, key)
);
CREATE INDEX IF NOT EXISTS sweep_number ON sweep (id, number);

-- Processes that measure points. A worker whose process is gone, or whose beat is old, holds no claim.
CREATE TABLE IF NOT EXISTS worker (
  id      TEXT PRIMARY KEY,               -- host/process/start
  started TEXT NOT NULL,
  beat    REAL NOT NULL                   -- seconds since 1970
);

-- Every run of a point, whatever came of it.
CREATE TABLE IF NOT EXISTS run (
  id      INTEGER PRIMARY KEY,
  key     TEXT NOT NULL,
  worker  TEXT NOT NULL,
  began   TEXT NOT NULL,
  ended   TEXT,                           -- NULL: it runs, or its worker died
  outcome TEXT                            -- done, failed or stopped
);

-- The results: one for each key, from a sweep or from a file under results/.
CREATE TABLE IF NOT EXISTS result (
  key       TEXT PRIMARY KEY,
  source    TEXT NOT NULL,                -- explore, or the file that it came from
  kind      TEXT NOT NULL,                -- engine, multiplier, yardstick
  design    TEXT NOT NULL,
  measure   TEXT NOT NULL,                -- cycles, map, place, energy
  curve     TEXT NOT NULL DEFAULT '',
  device    TEXT NOT NULL DEFAULT '',
  library   TEXT NOT NULL DEFAULT '',
  shell     INTEGER NOT NULL DEFAULT 0,
  seeds     TEXT NOT NULL DEFAULT '',     -- of the placements, separated by commas; the slowest counts
  lut4      INTEGER,
  ff        INTEGER,
  mult      INTEGER,
  bram      INTEGER,
  mhz       REAL,                         -- not above the limit of the device's multiplier blocks
  cycles    REAL,                         -- of one operation
  "interval" REAL,                        -- clocks from one operation to the next in a stream
  operation TEXT,
  energy_pj REAL,                         -- of one operation
  power_w   REAL,
  area_um2  REAL,
  gates     REAL,                         -- gate equivalents
  figures   TEXT NOT NULL,                -- everything that was measured, as JSON
  seconds   REAL,                         -- that the run took
  "commit"  TEXT NOT NULL,
  date      TEXT NOT NULL,
  tools     TEXT NOT NULL,                -- versions, as JSON
  command   TEXT NOT NULL,                -- that repeats it
  current   INTEGER NOT NULL DEFAULT 1    -- 0: of other sources or tools than those of the last look
);
CREATE INDEX IF NOT EXISTS result_design ON result (design, measure);

-- The newest result of each thing that was measured; one of the current sources comes first.
CREATE VIEW IF NOT EXISTS newest AS
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY design, measure, curve, device, library, shell, seeds
      ORDER BY current DESC, date DESC, source, key
    ) AS age FROM result
  ) WHERE age = 1;

-- Area and clock of a design on a device: the slowest of its placements, or its mapping if it has none. If some
-- of its results are of the current sources, only these count.
CREATE VIEW IF NOT EXISTS area AS
  SELECT kind, design, device, shell, measure, max(lut4) AS lut4, max(ff) AS ff, max(mult) AS mult,
         max(bram) AS bram, min(mhz) AS mhz, group_concat(seeds) AS seeds, min(current) AS current,
         group_concat(key) AS keys
  FROM (
    SELECT *, rank() OVER (
      PARTITION BY design, device, shell ORDER BY measure = 'place' DESC, current DESC
    ) AS best FROM newest WHERE measure IN ('map', 'place')
  ) WHERE best = 1
  GROUP BY kind, design, device, shell, measure;

-- A design on a device with its cycles on a curve: what `eccel pick` and the report compare.
CREATE VIEW IF NOT EXISTS row AS
  SELECT a.kind, a.design, a.device, a.shell, a.measure, a.lut4, a.ff, a.mult, a.bram, a.mhz, a.seeds,
         a.keys AS area_keys, c.key AS cycles_key, c.curve, c.operation, c.cycles, c."interval",
         min(a.current, coalesce(c.current, 1)) AS current,
         c.cycles / a.mhz AS time_us,
         1e6 * a.mhz / c."interval" AS per_second,
         a.lut4 * c.cycles / a.mhz AS area_time
  FROM area AS a LEFT JOIN newest AS c ON c.design = a.design AND c.measure = 'cycles';
