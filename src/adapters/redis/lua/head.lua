-- ARGV: run
-- Returns nothing when closed; else epoch, left, applied, ledger, the last place in the log, how many are open, and the
-- version of the terms, 0 when there are none.
local keys = present()
local last = keys and last_told()
if not last then return {} end
local known = redis.call('GET', terms)
local version = known and tonumber(string.match(known, '^%d+')) or 0
return {keys.epoch, keys.values[1], keys.values[2], keys.values[4], last, redis.call('HLEN', keys.open) - 1, version}
