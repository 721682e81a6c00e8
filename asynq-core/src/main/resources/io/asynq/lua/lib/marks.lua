-- Part of other scripts: fields of a task about attempts that did not end by themselves. x-suspect is the fence of the
-- attempt that recovered the task last, or that has stopped its own server.
local function forget_all(task)
  redis.call('HDEL', task, 'x-attempt', 'x-seen', 'x-begun', 'x-server', 'x-suspect', 'x-crashes', 'x-crashed-at', 'x-deaths',
    'x-cut-short', 'x-cancel', 'x-woken')
end

-- The attempt has not begun, or there are no marks. A task that was woken keeps its place unless it is given here, too.
local function forget_attempt(task, ...)
  redis.call('HDEL', task, 'x-attempt', 'x-seen', 'x-begun', ...)
end

-- An attempt has ended: by itself, so that all marks are removed, or because it was recovered.
local function forget(task, fence, marked)
  if not marked then
    forget_attempt(task, 'x-woken')
  elseif redis.call('HGET', task, 'x-suspect') == fence then
    forget_attempt(task, 'x-woken', 'x-cut-short')
  else
    forget_all(task)
  end
end
