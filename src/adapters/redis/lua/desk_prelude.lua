-- Stands before every script that is not about a hot copy.
--
-- KEYS[1]  the key, or the one from which the names of the others are made
-- ARGV[1]  the run id of the connection, put there by the link

local run = ARGV[1]

local function now_millis()
    local now = redis.call('TIME')
    return tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
end

