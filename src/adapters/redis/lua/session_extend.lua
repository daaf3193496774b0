-- ARGV: run, expiry, milliseconds to live
-- Later, never earlier. A copy that is not there is made by the next look-up.
local expiry = redis.call('HGET', KEYS[1], 'x')
if not expiry or tonumber(expiry) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'x', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
