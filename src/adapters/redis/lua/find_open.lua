-- ARGV: run, mark
-- Returns the buyer whose open claim it is, also of a former epoch; nothing when there is none; "closed" without a copy.
local keys = present()
if not keys then return {'closed'} end
local record = redis.call('HGET', keys.open, ARGV[2]) or redis.call('HGET', former, ARGV[2])
if not record then return {} end
local _, buyer = read_open(record)
return {buyer}
