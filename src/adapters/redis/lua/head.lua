-- ARGV: run
-- Returns nothing when closed; else epoch, left, applied, ledger, the last place in the log, and how many are open.
local keys = present()
if not keys then return {} end
return {keys.epoch, keys.values[1], keys.values[2], keys.values[4], last_told(), redis.call('HLEN', keys.open) - 1}
