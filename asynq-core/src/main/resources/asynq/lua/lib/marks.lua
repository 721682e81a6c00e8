-- Part of other scripts: what is kept with a task of ours about attempts that did not end by
-- themselves. x-suspect is the fence of whoever has recovered the task last, or of the attempt that
-- has stopped its own server.
local function forget_all(task)
  redis.call('HDEL', task, 'x-attempt', 'x-seen', 'x-begun', 'x-server', 'x-suspect', 'x-crashes', 'x-crashed-at', 'x-deaths',
    'x-cut-short')
end

-- An attempt has not even begun, or is as good as that, or there are no marks.
local function forget_attempt(task)
  redis.call('HDEL', task, 'x-attempt', 'x-seen', 'x-begun')
end

-- An attempt has ended: by itself, so that nothing is left of what was before, or because it was
-- recovered.
local function forget(task, fence, marked)
  if not marked then
    forget_attempt(task)
  elseif redis.call('HGET', task, 'x-suspect') == fence then
    redis.call('HDEL', task, 'x-attempt', 'x-seen', 'x-begun', 'x-cut-short')
  else
    forget_all(task)
  end
end
