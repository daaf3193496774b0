-- One step at the gate of a sale, by the rules of src/ports/entry_desk.hpp.
--
-- KEYS[1]  the sale's key `places`
-- ARGV: run, what, buyer, most places, the shop's time, a nonce, a byte of chance, and for a challenge its mark, then
--       for a formula the number that was sent or '', for work whether it is right, its expiry and milliseconds to live.
--       `what` is take, again, formula, work; or selling or closed, which only frees the places whose time is over.
-- Returns verdict, two numbers or texts that belong to it, and how many lapses were found. The second number of `full` is
-- why: 0 everybody waits, 1 a pass of this buyer lapsed, 2 they missed places that were drawn for them.
--
-- places   sorted set: buyer by the end of the place      place  hash: buyer to flag, end in the shop's time, nonce
-- waiting  sorted set: buyer by the end of the wait       lapsed sorted set: buyer by when their lapses are forgotten
-- lapse    hash: buyer to number of lapses, of missed draws, why they wait (as above), end of wait. A server of before
--          reads and writes only the first and the last.
-- formula:B, work:B  strings: mark, answer or expiry, placed
-- A place's flag: r there is a pass on it, b it has bought, d it was drawn and nobody has come for it yet.
-- Ends are by the clock of Redis. A pass has its end by the clock of the shop, which checks it.
local LIFETIME = 60000
local FIRST_WAIT, LONGEST_WAIT, FORGIVEN, MOST_LAPSES = 60000, 1800000, 1800000, 200000
local MISSED_WAIT = 30000
local LAPSED, MISSED = 1, 2
local SHORTEST_RETRY, LONGEST_RETRY, RETRIES_PER_SECOND, GRACE = 3, 60, 500, 5000
local MOST_WAITING = 100000
local MOST_FREED, MOST_DRAWN = 500, 500 -- in one step, so that none takes longer than a few milliseconds
local PLACES_KEPT, LAPSES_KEPT = 600000, 7200000

local base = string.sub(KEYS[1], 1, -7)
local places, place, waiting = KEYS[1], base .. 'place', base .. 'waiting'
local lapsed, lapse = base .. 'lapsed', base .. 'lapse'
local what, buyer, most, shop_now = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local now = now_millis()
local found = 0

local function text(number) return string.format('%.0f', number) end

-- What is remembered of a buyer at that time: numbers of lapses and missed draws, why they wait, and until when.
local function read_lapse(who, at)
    local record = redis.call('HGET', lapse, who)
    if not record or tonumber(redis.call('ZSCORE', lapsed, who) or 0) <= at then return 0, 0, LAPSED, 0 end
    local missed, why = string.match(record, '^%d+ (%d+) (%d) ')
    return tonumber(string.match(record, '^%d+')), tonumber(missed or 0), tonumber(why or LAPSED),
        tonumber(string.match(record, ' (%d+)$'))
end

local function keep_lapse(who, count, missed, why, wait_until)
    redis.call('HSET', lapse, who, table.concat({text(count), text(missed), why, text(wait_until)}, ' '))
    redis.call('ZADD', lapsed, text(wait_until + FORGIVEN), who)
    if redis.call('ZCARD', lapsed) > MOST_LAPSES then
        redis.call('HDEL', lapse, redis.call('ZPOPMIN', lapsed)[1])
    end
    redis.call('PEXPIRE', lapse, LAPSES_KEPT)
    redis.call('PEXPIRE', lapsed, LAPSES_KEPT)
end

local function note_lapse(who, at)
    found = found + 1
    local count, missed = read_lapse(who, at)
    keep_lapse(who, count + 1, missed, LAPSED, at + math.min(FIRST_WAIT * 2 ^ math.min(count, 10), LONGEST_WAIT))
end

-- The first time nobody waits for it: a telephone that was locked is no ill will.
local function note_missed(who, at)
    local count, missed, _, wait_until = read_lapse(who, at)
    local wait = missed > 0 and MISSED_WAIT or 0
    keep_lapse(who, count, missed + 1, MISSED, math.max(wait_until, at + wait))
end

local function free_places(is_selling)
    for _, who in ipairs(redis.call('ZRANGEBYSCORE', places, '-inf', now, 'LIMIT', 0, MOST_FREED)) do
        local record = redis.call('HGET', place, who)
        local flag = is_selling and record and string.sub(record, 1, 1)
        local till = tonumber(redis.call('ZSCORE', places, who))
        if flag == 'r' then note_lapse(who, till) end
        if flag == 'd' then note_missed(who, till) end
        redis.call('ZREM', places, who)
        redis.call('HDEL', place, who)
    end
end

local function count_places() return redis.call('ZCOUNT', places, '(' .. text(now), '+inf') end

local function put_place(who, record, till)
    redis.call('HSET', place, who, record)
    redis.call('ZADD', places, text(till), who)
    redis.call('PEXPIRE', place, PLACES_KEPT)
    redis.call('PEXPIRE', places, PLACES_KEPT)
end

-- The record of the buyer's place and its end.
local function own_place()
    local till = redis.call('ZSCORE', places, buyer)
    if not till or tonumber(till) <= now then return nil end
    return redis.call('HGET', place, buyer) or nil, tonumber(till)
end

local function put_waiting(till)
    local is_new = not redis.call('ZSCORE', waiting, buyer)
    if is_new and redis.call('ZCARD', waiting) >= MOST_WAITING then
        redis.call('ZREMRANGEBYSCORE', waiting, '-inf', now)
        if redis.call('ZCARD', waiting) >= MOST_WAITING then return end
    end
    redis.call('ZADD', waiting, text(till), buyer)
    redis.call('PEXPIRE', waiting, PLACES_KEPT)
end

-- Gives free places to those who wait. Each is kept until the time at which its buyer was asked to come. Returns how
-- many are taken then, and whether there was too much to do for one step.
local function draw_lots(taken)
    for _ = 1, MOST_DRAWN do
        local who = taken < most and redis.call('ZRANDMEMBER', waiting)
        if not who then return taken, false end
        local till = tonumber(redis.call('ZSCORE', waiting, who))
        redis.call('ZREM', waiting, who)
        if till > now then
            put_place(who, 'd', till)
            taken = taken + 1
        end
    end
    return taken, taken < most
end

-- How long somebody who was told to come again after so many seconds is waited for.
local function awaited_for(retry) return retry * 1000 + math.floor(retry / 3) * 1000 + GRACE end

-- Different for everybody, so that they do not all come in the same second.
local function full()
    local mean = math.floor(redis.call('ZCARD', waiting) / RETRIES_PER_SECOND)
    mean = math.min(math.max(mean, SHORTEST_RETRY), LONGEST_RETRY)
    local retry = mean + math.floor(mean * tonumber(ARGV[7]) / 256)
    -- A gate that lets nobody in has nothing to draw for.
    if most > 0 then put_waiting(now + awaited_for(retry)) end
    return {'full', retry, 0}
end

local function take()
    local record, till = own_place()
    if not record then
        local _, _, why, wait_until = read_lapse(buyer, now)
        if wait_until > now then return {'full', math.ceil((wait_until - now) / 1000), why} end
        -- Free places are for those who wait, the buyer among them.
        local taken, is_unfinished = count_places(), false
        if taken < most and redis.call('ZCARD', waiting) > 0 then
            put_waiting(now + GRACE)
            taken, is_unfinished = draw_lots(taken)
            record, till = own_place()
        end
        if not record and (taken >= most or is_unfinished) then return full() end
    end
    redis.call('ZREM', waiting, buyer)
    local shop_till = record and string.match(record, '^r (%d+)')
    if not shop_till then shop_till, till = text(shop_now + LIFETIME), now + LIFETIME end
    put_place(buyer, 'r ' .. shop_till .. ' ' .. ARGV[6], till)
    return {'placed', shop_till, ARGV[6]}
end

-- The latest pass on the buyer's place.
local function again()
    local record = own_place()
    local shop_till, nonce = string.match(record or '', '^r (%d+) (%S+)')
    return {'again', shop_till or '', nonce or ''}
end

local function redeem_formula()
    local key = base .. 'formula:' .. buyer
    local mark, answer, placed = string.match(redis.call('GET', key) or '', '^(%S+) (%S+) (%d)$')
    if not mark or mark ~= ARGV[8] then return {'wrong', '', ''} end
    if answer ~= ARGV[9] then
        redis.call('DEL', key)
        return {'wrong', '', ''}
    end
    if placed == '1' then return again() end
    local answered = take()
    if answered[1] == 'placed' then
        redis.call('SET', key, mark .. ' ' .. answer .. ' 1', 'KEEPTTL')
    elseif redis.call('PTTL', key) < awaited_for(answered[2]) then
        redis.call('PEXPIRE', key, awaited_for(answered[2]))
    end
    return answered
end

local function redeem_work()
    local key = base .. 'work:' .. buyer
    local is_right = ARGV[9] == '1'
    local mark, expires_at, placed = string.match(redis.call('GET', key) or '', '^(%S+) (%d+) (%d)$')
    if mark == ARGV[8] then
        if is_right and placed == '1' then return again() end
        return {'wrong', '', ''}
    end
    -- It was given out before a challenge that has been answered, so it is spent together with that one.
    if mark and tonumber(ARGV[10]) <= tonumber(expires_at) then return {'wrong', '', ''} end
    local answered = is_right and take() or {'wrong', '', ''}
    if answered[1] == 'full' then return answered end
    local flag = answered[1] == 'placed' and ' 1' or ' 0'
    redis.call('SET', key, ARGV[8] .. ' ' .. ARGV[10] .. flag, 'PX', ARGV[11])
    return answered
end

-- Also places that were given while the clock was ahead.
local function sweep()
    for _, who in ipairs(redis.call('ZRANGEBYSCORE', places, text(now + 2 * LIFETIME), '+inf', 'LIMIT', 0, MOST_FREED)) do
        redis.call('ZREM', places, who)
        redis.call('HDEL', place, who)
    end
    for _, who in ipairs(redis.call('ZRANGEBYSCORE', lapsed, '-inf', now, 'LIMIT', 0, MOST_FREED)) do
        redis.call('ZREM', lapsed, who)
        redis.call('HDEL', lapse, who)
    end
    redis.call('ZREMRANGEBYSCORE', waiting, '-inf', now)
    return {'swept', count_places(), redis.call('ZCARD', waiting)}
end

free_places(what ~= 'closed')
local answered
if what == 'take' then answered = take()
elseif what == 'again' then answered = again()
elseif what == 'formula' then answered = redeem_formula()
elseif what == 'work' then answered = redeem_work()
else answered = sweep() end
answered[4] = found
return answered
