-- A policy that is edited on the disk while a real Neovim, which does not watch files, has the tasks open.
-- Arguments: the server, the file of tasks, where to write what was seen.
local server, file, report = arg_server, arg_file, arg_report
local policy = vim.fn.fnamemodify(file, ":h") .. "/policy.md"
local seen = { codes = {} }

local function wait_for(count)
  if not vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 20) then
    error(count .. " findings never came")
  end
  local first = vim.diagnostic.get(0)[1]
  table.insert(seen.codes, first and (first.code or first.user_data.lsp.code) or "none")
end

local function written(text)
  local out = assert(io.open(policy, "w"))
  out:write(text)
  out:close()
end

local function session()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local client = vim.lsp.start_client({
    name = "benchlint",
    cmd = { server, "serve" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
  })
  assert(vim.lsp.buf_attach_client(0, client), "the client does not attach")
  wait_for(1)
  local text = table.concat(vim.fn.readfile(policy), "\n") .. "\n"
  written((text:gsub("No visit", "A visit")))
  wait_for(0)
  written(text)
  wait_for(1)
  vim.lsp.stop_client(client)
end

local ok, failure = pcall(session)
if not ok then
  seen.failure = tostring(failure)
end
local out = assert(io.open(report, "w"))
out:write(vim.fn.json_encode(seen))
out:close()
vim.cmd(ok and "qall!" or "cquit!")
