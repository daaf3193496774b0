-- ARGV: run
-- Returns nothing when closed; else how many claims are open, also of former epochs, how many were settled or released,
-- and, if there is one, when the oldest was claimed that is handed off and open.
local keys = present()
if not keys then return {} end
local claims = redis.call('HLEN', keys.open) + redis.call('HLEN', former) - 2
local oldest = redis.call('ZRANGE', queued, 0, 0, 'WITHSCORES')
return {claims, tonumber(redis.call('GET', decided) or '0'), oldest[2] or nil}
