-- KEYS[1]  the sale's key `places`; lua/place_enter.lua says what stands in it
-- ARGV: run, buyer, whether they may claim more
local place = string.sub(KEYS[1], 1, -2)
if ARGV[3] == '0' then
    redis.call('ZREM', KEYS[1], ARGV[2])
    redis.call('HDEL', place, ARGV[2])
    return 1
end
local record = redis.call('HGET', place, ARGV[2])
if record then redis.call('HSET', place, ARGV[2], 'b' .. string.sub(record, 2)) end
return 1
