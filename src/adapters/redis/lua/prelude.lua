-- Stands before every script: the names of a sale's keys, and what makes a copy valid.
--
-- KEYS[1]  the sale's key `epoch`, such as sluice:{42}:epoch
-- ARGV[1]  the run id of the connection, put there by the link
-- ARGV[2]  in verbs that name an epoch: that epoch
--
-- Of the sale:   epoch, log, former. Also those without which a copy is whole: terms and filling (set_terms.lua and
--                may_fill.lua), queued (a sorted set: the open claims that are handed off, by their time) and decided
--                (how many claims were settled or released).
-- Of an epoch e: e:left, e:applied, e:run, e:ledger (strings), e:buyers, e:open (hashes), e:done (sorted set).
-- Each hash and set holds a sentinel, so it is there also when it has no entry. A missing key means: closed.
--
-- An id has 63 bits and a number of Lua 53: ids stay strings.

local DRAFT_SECONDS = 3600     -- a copy that nobody goes on filling
local FORGOTTEN_SECONDS = 86400 -- the epoch of a copy that was dropped
local DONE_MILLIS = 600000     -- longer than any request or command is under way
local TERMS_SECONDS = 86400    -- then a keeper tells them again, if the sale is still looked after
local FILLING_SECONDS = 5      -- longer than a step of filling, and than a node needs to hear of a new epoch
local LOG_LENGTH = 20000       -- a node that is further behind reads the whole copy again

local base = string.sub(KEYS[1], 1, -6)
local run = ARGV[1]
local log = base .. 'log'
local former = base .. 'former'
local terms = base .. 'terms'
local filling = base .. 'filling'
local queued = base .. 'queued'
local decided = base .. 'decided'

local function keys_of(epoch)
    local of = base .. epoch .. ':'
    return {epoch = epoch, left = of .. 'left', applied = of .. 'applied', run = of .. 'run', ledger = of .. 'ledger',
            buyers = of .. 'buyers', open = of .. 'open', done = of .. 'done'}
end

-- The four strings in keys.values, or nil when a key of the epoch is missing.
local function whole(keys)
    local values = redis.call('MGET', keys.left, keys.applied, keys.run, keys.ledger)
    if not (values[1] and values[2] and values[3] and values[4]) then return nil end
    if redis.call('EXISTS', keys.buyers, keys.open, keys.done) ~= 3 then return nil end
    keys.values = values
    return keys
end

-- The copy that was opened last, if it is whole and was filled on this run. Otherwise nil and the verdict.
local function present()
    local epoch = redis.call('GET', KEYS[1])
    if not epoch then return nil, 'closed' end
    local keys = whole(keys_of(epoch))
    if not keys or redis.call('EXISTS', log, former) ~= 2 then return nil, 'closed' end
    if keys.values[3] ~= run then return nil, 'moved' end
    return keys
end

local function copy_of(epoch)
    local keys, why = present()
    if keys and keys.epoch ~= epoch then return nil, 'moved' end
    return keys, why
end

-- A copy that is being filled: of a later epoch than the open one, on this run, from this ledger.
local function draft_of(epoch, ledger)
    local opened = redis.call('GET', KEYS[1])
    if opened and tonumber(epoch) <= tonumber(opened) then return nil end
    local keys = whole(keys_of(epoch))
    if not keys or keys.values[3] ~= run or keys.values[4] ~= ledger then return nil end
    return keys
end

local function each_key(keys, command, ...)
    for _, name in ipairs({'left', 'applied', 'run', 'ledger', 'buyers', 'open', 'done'}) do
        redis.call(command, keys[name], ...)
    end
end

-- A buyer's entry contains their units and, after a space, the marks of their open tickets, 16 bytes each, the latest
-- last.
local function held(keys, buyer)
    local entry = redis.call('HGET', keys.buyers, buyer)
    if not entry then return 0, '' end
    local space = string.find(entry, ' ', 1, true)
    if not space then return tonumber(entry), '' end
    return tonumber(string.sub(entry, 1, space - 1)), string.sub(entry, space + 1)
end

local function hold(keys, buyer, units, marks)
    local entry = string.format('%d', units)
    if marks ~= '' then entry = entry .. ' ' .. marks end
    redis.call('HSET', keys.buyers, buyer, entry)
end

local function without(marks, mark)
    for at = 1, #marks, 16 do
        if string.sub(marks, at, at + 15) == mark then
            return string.sub(marks, 1, at - 1) .. string.sub(marks, at + 16)
        end
    end
    return marks
end

-- An open ticket is one letter for its stage (claimed, handed off, condemned), then buyer, quantity, time, and fields
-- that only its owner reads.
local function read_open(record)
    local stage, buyer, quantity, claimed_at = string.match(record, '^(%a) (%d+) (%d+) (%d+)')
    return stage, buyer, tonumber(quantity), tonumber(claimed_at)
end

-- Tells the followers what a buyer holds and what is left now. Returns the position of the entry in the log: its epoch
-- and a number that grows by one.
local function tell(keys, buyer, units, left)
    local id = redis.call('XADD', log, 'MAXLEN', '~', LOG_LENGTH, keys.epoch .. '-*', 'b', buyer,
        'u', string.format('%d', units), 'l', string.format('%d', left))
    return tonumber(string.match(id, '-(%d+)$'))
end

-- The position of the last entry; nil when somebody has emptied the log.
local function last_told()
    local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
    return last[1] and tonumber(string.match(last[1][1], '-(%d+)$'))
end

local function now_millis()
    local now = redis.call('TIME')
    return tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
end

local closed_now = 0 -- claims that this script has closed

-- Moves a ticket from `open` to `done`. The caller writes the buyer's entry.
local function close(keys, mark, now)
    redis.call('HDEL', keys.open, mark)
    redis.call('ZREM', queued, mark)
    closed_now = closed_now + 1
    redis.call('ZADD', keys.done, now, mark)
end

local function forget_done(keys, now)
    redis.call('ZREMRANGEBYSCORE', keys.done, 0, now - DONE_MILLIS)
end

-- For a claim of a former epoch whose outcome is known. Its buyer has a past in this sale, which nodes that start later
-- read from `buyers`.
local function drop_former(keys, mark)
    local record = redis.call('HGET', former, mark)
    if not record then return end
    redis.call('HDEL', former, mark)
    redis.call('ZREM', queued, mark)
    closed_now = closed_now + 1
    local _, buyer = read_open(record)
    redis.call('HSETNX', keys.buyers, buyer, '0')
end

-- To be called at the end of a script that closes claims.
local function count_decided()
    if closed_now > 0 then redis.call('INCRBY', decided, closed_now) end
end

