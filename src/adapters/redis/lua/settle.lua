-- ARGV: run, epoch, marks
-- Returns the marks that are missed: neither open nor done.
local copy = present()
if not copy then return {} end
local missed = {}
local now = now_millis()
for i = 3, #ARGV do
    local mark = ARGV[i]
    drop_former(copy, mark)
    if copy.epoch == ARGV[2] then
        local record = redis.call('HGET', copy.open, mark)
        if record then
            close(copy, mark, now)
            local _, buyer = read_open(record)
            local units, marks = held(copy, buyer)
            hold(copy, buyer, units, without(marks, mark))
        elseif not redis.call('ZSCORE', copy.done, mark) then
            missed[#missed + 1] = mark
        end
    end
end
forget_done(copy, now)
count_decided()
return missed
