-- ARGV: run, epoch, ledger, then buyer and units, again and again
-- Returns 1, or 0 when the filling was overtaken or is not whole.
local keys = draft_of(ARGV[2], ARGV[3])
if not keys then return 0 end
for i = 4, #ARGV, 2 do redis.call('HSET', keys.buyers, ARGV[i], ARGV[i + 1]) end
each_key(keys, 'EXPIRE', DRAFT_SECONDS)
redis.call('EXPIRE', filling, FILLING_SECONDS)
return 1
