-- One session in a real Neovim, 0.7 or later: open a file, wait for its findings, fix them one after the other without
-- saving, edit above, and write down what was seen. Arguments: the server, the file, where to write.
local server, file, report = arg_server, arg_file, arg_report

local seen = { published = 0, pulled = 0, counts = {}, messages = {} }
local publish = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(...)
  seen.published = seen.published + 1
  return publish(...)
end

local function write()
  local out = assert(io.open(report, "w"))
  out:write(vim.fn.json_encode(seen))
  out:close()
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    error("this never came: " .. what)
  end
end

local function found()
  local items = vim.diagnostic.get(0)
  table.sort(items, function(a, b) return a.lnum < b.lnum end)
  return items
end

local function wait_for(count)
  wait(count .. " findings", function() return #found() == count end)
  table.insert(seen.counts, #found())
end

local function fix_first()
  local item = found()[1]
  vim.api.nvim_win_set_cursor(0, { item.lnum + 1, item.col })
  -- Byte columns in the request's range, as old versions send them.
  local range = { start = { line = item.lnum, character = item.col }, ["end"] = { line = item.end_lnum, character = item.end_col } }
  local raw = item.user_data and item.user_data.lsp or {}
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = range,
    context = { diagnostics = { { range = range, message = item.message, code = raw.code, source = item.source, severity = 1 } } },
  }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000)
  for id, answer in pairs(answers) do
    for _, action in ipairs(answer.result or {}) do
      if action.isPreferred then
        local client = vim.lsp.get_client_by_id(id)
        vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
        seen.encoding = client.offset_encoding
        return action.title
      end
    end
  end
  error("there is no preferred action")
end

local function session()
  seen.version = tostring(vim.version().major) .. "." .. tostring(vim.version().minor)
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local client = vim.lsp.start_client({
    name = "benchlint",
    cmd = { server, "serve" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
  })
  assert(client, "the server does not start")
  assert(vim.lsp.buf_attach_client(0, client), "the client does not attach")
  wait_for(2)
  local line = found()[1].lnum
  vim.api.nvim_buf_set_lines(0, 1, 1, false, { "", "" })
  wait("the findings two lines further down", function() return #found() == 2 and found()[1].lnum == line + 2 end)
  seen.title = fix_first()
  wait_for(1)
  fix_first()
  wait_for(0)
  seen.pulls = vim.lsp.get_client_by_id(client).server_capabilities.diagnosticProvider ~= nil
  vim.cmd("write!")
  vim.lsp.stop_client(client)
  wait("the end of the server", function() return vim.lsp.get_client_by_id(client) == nil or vim.lsp.get_client_by_id(client).is_stopped() end)
end

local ok, failure = pcall(session)
if not ok then
  seen.failure = tostring(failure)
end
write()
vim.cmd(ok and "qall!" or "cquit!")
