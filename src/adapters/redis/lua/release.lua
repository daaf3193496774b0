-- ARGV: run, epoch, marks
-- Returns what was told to the followers, four values for each: buyer, units, left, place.
local copy = present()
if not copy then return {} end
local told = {}
local now = now_millis()
local left = tonumber(copy.values[1])
for i = 3, #ARGV do
    local mark = ARGV[i]
    drop_former(copy, mark)
    local record = copy.epoch == ARGV[2] and redis.call('HGET', copy.open, mark)
    if record then
        close(copy, mark, now)
        local _, buyer, quantity = read_open(record)
        local units, marks = held(copy, buyer)
        left = left + quantity
        units = units - quantity
        redis.call('SET', copy.left, string.format('%d', left))
        hold(copy, buyer, units, without(marks, mark))
        for _, value in ipairs({buyer, units, left, tell(copy, buyer, units, left)}) do told[#told + 1] = value end
    end
end
forget_done(copy, now)
count_decided()
return told
