-- ARGV: run, epoch, mark, buyer, quantity, limit, record
-- Returns the verdict; with won: units, left, place in the log; with again: units; with already: the latest mark.
local keys, why = copy_of(ARGV[2])
if not keys then return {why} end
local mark, buyer, quantity, limit = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if redis.call('ZSCORE', keys.done, mark) then return {'done'} end
local units, marks = held(keys, buyer)
if redis.call('HEXISTS', keys.open, mark) == 1 then return {'again', units} end
if units + quantity > limit then return {'already', string.sub(marks, -16)} end
local left = tonumber(keys.values[1])
if left < quantity then return {'sold_out'} end
left = left - quantity
units = units + quantity
-- First, since it needs memory: when there is none it fails, and nothing has happened.
redis.call('HSET', keys.open, mark, ARGV[7])
redis.call('SET', keys.left, string.format('%d', left))
hold(keys, buyer, units, marks .. mark)
return {'won', units, left, tell(keys, buyer, units, left)}
