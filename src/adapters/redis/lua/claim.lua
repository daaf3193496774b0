-- ARGV: run, epoch, mark, buyer, quantity, limit (unless the terms have one), record
-- Returns the verdict. When it is about a claim of this buyer, also their units, what is left, and the place in the
-- log at which both are so; with already the mark of their latest open ticket, or nothing.

-- Returns why nobody may claim now, or nil; and the limit.
local function judge()
    local known = redis.call('GET', terms)
    if not known then return nil, tonumber(ARGV[6]) end
    local starts, ends, paused, limit = string.match(known, '^%d+ (%S+) (%S+) (%d) (%d+)$')
    local now = now_millis()
    if ends ~= '-' and now >= tonumber(ends) then return 'ended' end
    if paused == '1' then return 'paused' end
    if now < tonumber(starts) then return 'not_started' end
    return nil, tonumber(limit)
end

local keys, why = copy_of(ARGV[2])
if not keys then return {why} end
local mark, buyer, quantity = ARGV[3], ARGV[4], tonumber(ARGV[5])
local units, marks = held(keys, buyer)
local left = tonumber(keys.values[1])
if redis.call('ZSCORE', keys.done, mark) then return {'done', units, left, last_told()} end
if redis.call('HEXISTS', keys.open, mark) == 1 then return {'again', units, left, last_told()} end
-- After the replays: a buyer who has claimed already gets that answer, even in a pause.
local refusal, limit = judge()
if refusal then return {refusal} end
if units + quantity > limit then return {'already', units, left, last_told(), string.sub(marks, -16)} end
if left < quantity then return {'sold_out'} end
left = left - quantity
units = units + quantity
-- Written first, since it needs memory: if there is none it fails, and nothing has happened.
redis.call('HSET', keys.open, mark, ARGV[7])
redis.call('SET', keys.left, string.format('%d', left))
hold(keys, buyer, units, marks .. mark)
return {'won', units, left, tell(keys, buyer, units, left)}
