-- ARGV: run, epoch, ledger, left, applied
-- Returns 1, or 0 when there is a copy of this epoch or a later one, or this epoch has been begun.
local opened = redis.call('GET', KEYS[1])
if opened and tonumber(ARGV[2]) <= tonumber(opened) then return 0 end
local keys = keys_of(ARGV[2])
if redis.call('EXISTS', keys.run) == 1 then return 0 end
redis.call('MSET', keys.run, run, keys.ledger, ARGV[3], keys.left, ARGV[4], keys.applied, ARGV[5])
redis.call('HSET', keys.buyers, '', '')
redis.call('HSET', keys.open, '', '')
redis.call('ZADD', keys.done, '+inf', '')
each_key(keys, 'EXPIRE', DRAFT_SECONDS)
return 1
