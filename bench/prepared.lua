-- Posts what stands in a file, a line "token path" for each request, one after the other and from
-- the beginning when the file is at its end.
local requests = {}
local sent = 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        local token, path = line:match("^(%S+) (%S+)$")
        requests[#requests + 1] =
            wrk.format("POST", path, { Host = "127.0.0.1", Authorization = "Bearer " .. token }, "")
    end
end

function request()
    sent = sent + 1
    return requests[(sent - 1) % #requests + 1]
end
