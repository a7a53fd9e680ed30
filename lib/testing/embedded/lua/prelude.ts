/**
 * Makes the surroundings in which scripts run, as strict as those of Redis: only its globals, none can be added or changed.
 * `...` are the two functions of the host; the results are the table of globals, the environment of scripts and the
 * handler of errors.
 */
export const PRELUDE = `
local call, pcall_, sha1hex = ...
local error, tostring, type, find, match, gsub = error, tostring, type, string.find, string.match, string.gsub
local getinfo = debug.getinfo

local function readonly(content, missing)
  return setmetatable({}, {
    __index = missing and setmetatable(content, { __index = missing }) or content,
    __newindex = function() error('Attempt to modify a readonly table', 2) end,
    __metatable = false,
  })
end

local redis = {
  call = call,
  pcall = pcall_,
  sha1hex = sha1hex,
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  log = function() end,
  status_reply = function(text) return { ok = text } end,
  error_reply = function(text)
    if type(text) ~= 'string' then return { err = 'ERR wrong number or type of arguments' } end
    text = gsub(gsub(text, '^%-', ''), '[\\r\\n]+$', '')
    return { err = find(text, ' ', 1, true) and text or 'ERR ' .. text }
  end,
}

-- As in Redis 7, what a protected call gives of an error table is its text.
local function outcome(ok, problem, ...)
  if not ok and type(problem) == 'table' and type(problem.err) == 'string' then return false, problem.err end
  return ok, problem, ...
end
local pcall = pcall

local globals = { pcall = function(...) return outcome(pcall(...)) end }
for _, name in ipairs({
  'assert', 'collectgarbage', 'error', 'getmetatable', 'ipairs', 'loadstring', 'next', 'pairs', 'rawequal', 'rawget',
  'rawset', 'select', 'setmetatable', 'tonumber', 'tostring', 'type', 'unpack', 'xpcall', '_VERSION',
}) do globals[name] = _G[name] end
for _, name in ipairs({ 'coroutine', 'math', 'string', 'table' }) do globals[name] = readonly(_G[name]) end
globals.redis = readonly(redis)

local environment = readonly(globals, function(_, name)
  error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
end)
globals._G = environment

local function onError(problem)
  if type(problem) ~= 'table' then problem = { err = 'ERR ' .. tostring(problem) } end
  local level = 2
  local place = getinfo(level, 'Sl')
  while place and place.source ~= '@user_script' do
    level = level + 1
    place = getinfo(level, 'Sl')
  end
  if place then problem.line = place.currentline end
  return problem
end

return globals, environment, onError
`;
