-- ARGV: run, 1 if something was seen, what was seen, what to put there, milliseconds to live
local present = redis.call('GET', KEYS[1])
local is_same = present == ARGV[3]
if ARGV[2] == '0' then is_same = not present end
if not is_same then return 0 end
redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
return 1
