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

-- What there are figures of: designs on devices, and designs without an area.
CREATE VIEW IF NOT EXISTS subject AS
  SELECT * FROM area
  UNION ALL
  SELECT kind, design, '', 0, '', NULL, NULL, NULL, NULL, NULL, '', min(current), ''
  FROM newest
  WHERE measure IN ('cycles', 'energy')
    AND design NOT IN (SELECT design FROM result WHERE measure IN ('map', 'place'))
  GROUP BY kind, design;

-- Cycles and energy of a design on a curve, in each library that there is ('' without energy).
CREATE VIEW IF NOT EXISTS job AS
  SELECT c.design, c.curve, c.operation, c.cycles, c."interval", c.key AS cycles_key,
         coalesce(e.library, '') AS library, e.energy_pj, e.power_w, e.area_um2, e.gates, e.key AS energy_key,
         min(c.current, coalesce(e.current, 1)) AS current
  FROM newest AS c LEFT JOIN newest AS e
    ON e.measure = 'energy' AND e.design = c.design AND e.curve = c.curve
  WHERE c.measure = 'cycles'
  UNION ALL
  SELECT design, curve, operation, cycles, "interval", NULL, library, energy_pj, power_w, area_um2, gates, key,
         current
  FROM newest AS e
  WHERE measure = 'energy'
    AND NOT EXISTS (SELECT 1 FROM result AS c WHERE c.measure = 'cycles' AND c.design = e.design AND c.curve = e.curve);

-- A design on a device with its jobs: what `eccel pick` and the report compare. Time and rate are at the clock of
-- the device; energy and power are those of the library.
CREATE VIEW IF NOT EXISTS row AS
  SELECT s.kind, s.design, s.device, s.shell, s.measure, s.lut4, s.ff, s.mult, s.bram, s.mhz, s.seeds,
         j.curve, j.operation, j.cycles, j."interval", j.library, j.energy_pj, j.power_w, j.area_um2, j.gates,
         j.cycles / s.mhz AS time_us,
         1e6 * s.mhz / j."interval" AS per_second,
         s.lut4 * j.cycles / s.mhz AS area_time,
         j.energy_pj * j.power_w AS energy_power,
         min(s.current, coalesce(j.current, 1)) AS current,
         s.keys AS area_keys, j.cycles_key, j.energy_key
  FROM subject AS s LEFT JOIN job AS j ON j.design = s.design;
