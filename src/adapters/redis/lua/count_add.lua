-- KEYS[1]  what the names of all these counts begin with
-- ARGV: run, then for each count: its name, interval and window in microseconds, how many times, mode
-- A count is the time at which its whole burst is there again. Returns for each how far that is away.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local function text(number) return string.format('%.0f', number) end

local used = {}
for at = 2, #ARGV, 5 do
    local name = KEYS[1] .. ARGV[at]
    local interval, window = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local mode = ARGV[at + 4]
    local before = now
    if mode ~= 'anew' then before = math.max(tonumber(redis.call('GET', name) or 0), now) end
    local till = math.max(before + tonumber(ARGV[at + 3]) * interval, now)
    if mode == 'strict' and till > now + window then
        used[#used + 1] = text(till - now)
    else
        till = math.min(till, now + 2 * window)
        if till > now then
            redis.call('SET', name, text(till), 'PX', math.ceil((till - now) / 1000))
        else
            redis.call('DEL', name)
        end
        used[#used + 1] = text(till - now)
    end
end
return used
