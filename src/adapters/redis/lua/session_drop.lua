-- ARGV: run, a new token
-- The token is kept for longer than a look-up can be under way.
local MARK_MILLIS = 600000

redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 't', ARGV[2])
redis.call('PEXPIRE', KEYS[1], MARK_MILLIS)
return 1
