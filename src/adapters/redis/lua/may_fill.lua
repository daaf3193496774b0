-- ARGV: run, who asks
-- Returns 1 when they may fill now, also when they ask again; 0 while somebody else may.
local holder = redis.call('GET', filling)
if holder and holder ~= ARGV[2] then return 0 end
redis.call('SET', filling, ARGV[2], 'EX', FILLING_SECONDS)
return 1
