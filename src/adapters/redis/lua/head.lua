-- ARGV: run
-- Returns nothing when closed; else epoch, left, applied, ledger, the last place in the log, and how many are open.
local keys = present()
local last = keys and last_told()
if not last then return {} end
return {keys.epoch, keys.values[1], keys.values[2], keys.values[4], last, redis.call('HLEN', keys.open) - 1}
