-- Load for wrk: the cases of the data plane, or the requests of a file, and a summary that a program can read.
-- Arguments: METHOD BODY_BYTES [FILE]; each line of FILE is "host path".
local targets, at = {}, 0

function init(args)
  wrk.method = args[1]
  local size = tonumber(args[2])
  if size > 0 then wrk.body = string.rep("c", size) end
  if not args[3] then return end
  for line in io.lines(args[3]) do
    local host, path = line:match("^(%S+) (%S+)$")
    targets[#targets + 1] = wrk.format("GET", path, { Host = host })
  end
  request = function()
    at = at % #targets + 1
    return targets[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%f,"p99":%f,"bad":%d,"broken":%d,"late":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(99), errors.status, errors.connect + errors.read + errors.write, errors.timeout))
end
