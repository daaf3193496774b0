-- ARGV: run, epoch
-- Returns 1, or 0 when claims are open or there is no such copy.
local keys = copy_of(ARGV[2])
if not keys or redis.call('HLEN', keys.open) > 1 or redis.call('HLEN', former) > 1 then return 0 end
each_key(keys, 'UNLINK')
redis.call('UNLINK', log, former, terms, queued, decided)
redis.call('EXPIRE', KEYS[1], FORGOTTEN_SECONDS)
return 1
