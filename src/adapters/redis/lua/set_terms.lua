-- ARGV: run, version, starts, ends (-: never), paused (1 or 0), limit
-- Times are milliseconds. Returns 1, or 0 when terms of this version or a later one are known.
local known = redis.call('GET', terms)
if known and tonumber(string.match(known, '^%d+')) >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', terms, table.concat(ARGV, ' ', 2), 'EX', TERMS_SECONDS)
return 1
