-- ARGV: run, epoch, mark, buyer, quantity, limit, record
-- Returns the verdict. When it is about a claim of this buyer, also their units, what is left, and the place in the
-- log at which both are so; with already the mark of their latest open ticket, or nothing.
local keys, why = copy_of(ARGV[2])
if not keys then return {why} end
local mark, buyer, quantity, limit = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local units, marks = held(keys, buyer)
local left = tonumber(keys.values[1])
if redis.call('ZSCORE', keys.done, mark) then return {'done', units, left, last_told()} end
if redis.call('HEXISTS', keys.open, mark) == 1 then return {'again', units, left, last_told()} end
if units + quantity > limit then return {'already', units, left, last_told(), string.sub(marks, -16)} end
if left < quantity then return {'sold_out'} end
left = left - quantity
units = units + quantity
-- First, since it needs memory: when there is none it fails, and nothing has happened.
redis.call('HSET', keys.open, mark, ARGV[7])
redis.call('SET', keys.left, string.format('%d', left))
hold(keys, buyer, units, marks .. mark)
return {'won', units, left, tell(keys, buyer, units, left)}
