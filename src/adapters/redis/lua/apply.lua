-- ARGV: run, epoch, then four values for each row: seq, change of left, buyer ("0": nobody), change of units
-- Returns nothing when the copy is of another epoch; else the last row it has, and what was told to the followers,
-- four values for each: buyer, units, left, place.
local keys = copy_of(ARGV[2])
if not keys then return {} end
local left, applied = tonumber(keys.values[1]), tonumber(keys.values[2])
local answer = {applied}
for i = 3, #ARGV, 4 do
    local seq = tonumber(ARGV[i])
    if seq > applied + 1 then break end
    if seq == applied + 1 then
        local buyer, units = ARGV[i + 2], 0
        applied = seq
        left = left + tonumber(ARGV[i + 1])
        redis.call('MSET', keys.applied, ARGV[i], keys.left, string.format('%d', left))
        if buyer ~= '0' then
            local before, marks = held(keys, buyer)
            units = before + tonumber(ARGV[i + 3])
            hold(keys, buyer, units, marks)
        end
        for _, value in ipairs({buyer, units, left, tell(keys, buyer, units, left)}) do answer[#answer + 1] = value end
    end
end
answer[1] = applied
return answer
