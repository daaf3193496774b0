-- ARGV: run, epoch, marks
-- Returns the marks that were open and not condemned.
local keys = copy_of(ARGV[2])
if not keys then return {} end
local marked = {}
for i = 3, #ARGV do
    local record = redis.call('HGET', keys.open, ARGV[i])
    if record and string.sub(record, 1, 1) ~= 'x' then
        local _, _, _, claimed_at = read_open(record)
        redis.call('ZADD', queued, claimed_at, ARGV[i])
        redis.call('HSET', keys.open, ARGV[i], 'h' .. string.sub(record, 2))
        marked[#marked + 1] = ARGV[i]
    end
end
return marked
