-- ARGV: run, expiry, milliseconds to live
-- Moves the expiry later, never earlier. If there is no copy, the next look-up makes one.
local expiry = redis.call('HGET', KEYS[1], 'x')
if not expiry or tonumber(expiry) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'x', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
