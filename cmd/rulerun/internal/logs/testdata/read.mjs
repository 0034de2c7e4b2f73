// Reads a log with DuckDB: node read.mjs DECISIONS GAMES. It prints what a study prints of the same games.
import { DuckDBInstance } from "@duckdb/node-api";

const [decisions, games] = process.argv.slice(2);
const db = await (await DuckDBInstance.create(":memory:")).connect();
const rows = async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJson();
await db.run(`CREATE VIEW decisions AS FROM '${decisions}'`);
await db.run(`CREATE VIEW games AS FROM '${games}'`);

const [all] = await rows(`
  SELECT count(*)::INT AS games, avg(throws) AS throws, avg(minutes) AS minutes, avg(decisions) AS decisions FROM games`);
const wins = await rows(`
  SELECT seat, count(*) FILTER (list_contains(winners, seat))::INT AS won
  FROM (SELECT unnest(seats) AS seat, winners FROM games) GROUP BY seat ORDER BY seat`);
const [joined] = await rows(`
  SELECT count(*)::INT AS rows,
    count(*) FILTER (won <> list_contains(winners, seat))::INT AS wrong,
    count(*) FILTER (options[chosen + 1] IS NULL)::INT AS missing,
    count(*) FILTER (chances IS NOT NULL AND len(chances) <> len(options))::INT AS ragged,
    count(DISTINCT game)::INT AS games
  FROM decisions JOIN games USING (seed, game)`);
const [features] = await rows(`
  SELECT count(*)::INT AS columns FROM (DESCRIBE SELECT COLUMNS('^f_') FROM decisions)`);
const [pieces] = await rows(`
  SELECT avg(list_sum([*COLUMNS('^f_own_at_')])) AS own, max(f_turn) AS turn FROM decisions`);
console.log(JSON.stringify({ all, wins, joined, features, pieces }));
